import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { newSessionId } from '../checkout/checkout-session.js';
import { ExpirePaymentRequest } from '../requests/expire-payment-request.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import {
  openAuthorizations,
  type Signing,
  PAYER,
  RESERVED,
} from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';
import { newId } from '#shared/kernel/ids.js';

const INVALID_SIGNATURE = `0x${'00'.repeat(65)}`;

let world: Signing;
let session: CheckoutView;
let expectedBreaches: readonly string[];
beforeEach(async () => {
  expectedBreaches = [];
  world = await openAuthorizations();
  session = await world.asked();
});
afterEach(() => world.close(expectedBreaches));

async function refusalCodeOf(doing: Promise<unknown>): Promise<string> {
  const { code, errors } = await refusal(doing);
  return [code, errors[0]?.field, errors[0]?.rule].filter((part) => part !== undefined).join(' ');
}

describe('A signed authorization', () => {
  it('is answered with the stored state if the same message comes with another signature', async () => {
    const signed = await world.signed(session);
    await world.submit(session, signed);

    const again = await world.submit(session, { ...signed, signature: INVALID_SIGNATURE });

    expect(again).toEqual({ status: 'queued' });
    const [row] = await world.platform.database.query<{ signature: Buffer }>(
      'SELECT signature FROM payments.authorizations',
    );
    expect(`0x${row!.signature.toString('hex')}`).toBe(signed.signature);
  });

  it('is rejected if its nonce was used for another message or another session', async () => {
    const signed = await world.signed(session);
    const other = await world.asked();
    await world.submit(session, signed);
    const another = { ...signed, authorization: { ...signed.authorization, validBefore: 2n ** 40n } };

    expect(await refusalCodeOf(world.submit(session, another))).toBe('state_conflict');
    expect(await refusalCodeOf(world.submit(other, signed))).toBe('state_conflict');
    expect(await world.stored()).toHaveLength(1);
  });

  it('is rejected while other authorizations pay all that is missing, and accepted for a remainder', async () => {
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));

    expect(await refusalCodeOf(world.submit(session, await world.signed(session)))).toBe('state_conflict');
    expect(await world.submit(session, await world.signed(session, { value: half }))).toEqual({
      status: 'queued',
    });
    expect(await refusalCodeOf(world.submit(session, await world.signed(session, { value: half })))).toBe(
      'state_conflict',
    );
  });

  it('is rejected and not stored with a wrong amount, time or signature', async () => {
    const signed = await world.signed(session);
    for (const [submitted, expected] of [
      [{ value: 10_000_001n }, 'validation_failed authorization.value at_most_missing'],
      [{ validBefore: 1n }, 'authorization_refused authorization time'],
    ] as const)
      expect(await refusalCodeOf(world.submit(session, await world.signed(session, submitted)))).toBe(
        expected,
      );
    expect(await refusalCodeOf(world.submit(session, { ...signed, signature: INVALID_SIGNATURE }))).toBe(
      'authorization_refused authorization signature',
    );

    expect(await world.stored()).toEqual([]);
  });

  it('is rejected for a session that is unknown, without an asset, paid or ended', async () => {
    const signed = await world.signed(session);
    const pending = await world.checkout();
    const paid = await world.asked();
    await world.carriedOut(paid);

    expect(
      await refusalCodeOf(
        world.submit({ ...session, sessionId: newSessionId(new DeploymentCell()) }, signed),
      ),
    ).toBe('not_found');
    expect(await refusalCodeOf(world.submit(pending, signed))).toBe('state_conflict');
    expect(await refusalCodeOf(world.submit(paid, signed))).toBe('state_conflict');
    await world.platform.advance(481);
    expect((await refusal(world.submit(session, signed))).message).toContain('has ended');
    expect(await world.stored()).toEqual([]);
  });

  it('is rejected if another asset is selected during the simulation', async () => {
    const signed = await world.signed(session);
    const plan = world.tokens.plan.bind(world.tokens);
    world.tokens.plan = async (each) => {
      await world.select(session, EURO);
      return plan(each);
    };

    expect(await refusalCodeOf(world.submit(session, signed))).toBe('state_conflict');
    expect(await world.stored()).toEqual([]);
  });

  it('keeps its asset selected until it has ended', async () => {
    const signed = await world.signed(session);
    await world.submit(session, signed);
    const queued = await refusal(world.select(session, EURO));
    await world.look();
    const sent = await refusal(world.select(session, EURO));
    const same = await world.select(session, DOLLAR);
    await world.sender.becomes((await world.stored())[0]!.id, 'cancelled', world.chain.mine().number, 5n);
    await world.becomesFinal();
    await world.look();

    for (const { code, message } of [queued, sent])
      expect([code, message]).toEqual([
        'state_conflict',
        expect.stringContaining('by signature is in progress'),
      ]);
    expect(same.selected!.currency).toBe(session.selected!.currency);
    expect((await world.select(session, EURO)).selected!.currency).toBe('EURX');
  });

  it('prevents the merchant from ending the request', async () => {
    const { requests, database, platform } = world;
    const { organizationId, pointOfSaleId, id } = session;
    const expire = () =>
      new ExpirePaymentRequest(requests, database, platform.clock).expire(
        { organizationId, accountId: null },
        pointOfSaleId,
        id,
      );
    await world.submit(session, await world.signed(session));

    expect(await refusalCodeOf(expire())).toBe('state_conflict');
    expect((await world.queries.find(session.sessionId))!.expiresAt).toEqual(session.expiresAt);
  });

  it('is not stored while no node answers, and is accepted later', async () => {
    const signed = await world.signed(session);
    world.tokens.isAway = true;

    expect(await refusalCodeOf(world.submit(session, signed))).toBe('unavailable');
    world.tokens.isAway = false;

    expect(await world.submit(session, signed)).toEqual({ status: 'queued' });
  });

  it('is not sponsored if the token takes no signatures or the network has no sponsor', async () => {
    const noticed: string[] = [];
    const submit = world.submitting();
    submit.onNotSponsored((network, reason) => void noticed.push(`${network} ${reason}`));
    const signed = await world.signed(session);
    world.tokens.isPlain = true;

    expect(await refusalCodeOf(submit.submit(session.sessionId, signed))).toBe(
      'not_sponsored authorization asset',
    );
    world.catalogue.sponsor(NETWORK);
    expect(await refusalCodeOf(submit.submit(session.sessionId, signed))).toBe(
      'not_sponsored authorization network',
    );
    expect(noticed).toEqual([`${NETWORK} asset`, `${NETWORK} network`]);
  });
});

const codeOf = ({ code }: { readonly code: string }) => code;

describe('The submission of authorizations by concurrent callers', () => {
  it('stores the same authorization once', async () => {
    const signed = await world.signed(session);
    const processes = [world.submitting(), world.submitting()];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => processes[n % 2]!.submit(session.sessionId, signed)),
    );

    expect(answers).toEqual(Array(20).fill({ status: 'queued' }));
    expect(await world.stored()).toMatchObject([{ state: 'queued', gasCost: null }]);
    expect(world.tokens.plans).toBeLessThanOrEqual(2);
  });

  it('simulates eight at a time, and rejects another one while 32 are waiting', async () => {
    const signed = await Promise.all(Array.from({ length: 41 }, () => world.signed(session)));
    const plan = world.tokens.plan.bind(world.tokens);
    const held = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    world.tokens.plan = async (one) => {
      most = Math.max(most, (running += 1));
      await held.promise;
      running -= 1;
      return plan(one);
    };

    const outcomes = signed.map((one) => world.submit(session, one).then(() => 'queued', codeOf));
    const first = await Promise.race(outcomes);
    held.resolve();
    const all = await Promise.all(outcomes);

    expect([first, most]).toEqual(['unavailable', 8]);
    expect(all.filter((outcome) => outcome === 'unavailable')).toHaveLength(1);
  });

  it('stores the authorization or selects another asset, never both', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => world.asked()));
    await Promise.all(
      sessions.map(async (each) => {
        const submitted = world.submit(each, await world.signed(each));
        return Promise.allSettled([submitted, world.select(each, EURO)]);
      }),
    );

    const rows = await world.platform.database.query<{ signed: boolean; selected: string }>(
      `SELECT a.id IS NOT NULL AS signed, r.unique_asset_id AS selected FROM payments.payment_requests r
       LEFT JOIN payments.authorizations a ON a.payment_request_id = r.id WHERE r.id = ANY($1)`,
      [sessions.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(10);
    for (const { signed, selected } of rows) expect(selected).toBe((signed ? DOLLAR : EURO).uniqueAssetId);
  });
});

/**
 * Submits an authorization for each session concurrently, distributed over three processes.
 * @returns the number of accepted authorizations, and the errors of the others
 */
async function submitConcurrently(sessions: readonly CheckoutView[]) {
  const processes = [world.submitting(), world.submitting(), world.submitting()];
  const signed = await Promise.all(sessions.map((session) => world.signed(session)));
  const outcomes = await Promise.allSettled(
    sessions.map(({ sessionId }, n) => processes[n % 3]!.submit(sessionId, signed[n]!)),
  );
  const rules = outcomes.map((outcome) =>
    outcome.status === 'fulfilled'
      ? 'taken'
      : ((outcome.reason as { errors: { rule: string }[] }).errors[0]?.rule ?? ''),
  );
  const counts: Record<string, number> = {};
  for (const rule of rules) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

async function openSessions(count: number, from = world.shop): Promise<CheckoutView[]> {
  const sessions: CheckoutView[] = [];
  for (let n = 0; n < count; n += 1) sessions.push(await world.asked(from));
  return sessions;
}

describe('The limit of sponsored payments', () => {
  const limitTo = async (limits: Parameters<typeof openAuthorizations>[0]) => {
    await world.close();
    world = await openAuthorizations(limits);
  };

  it('holds for an organization under concurrent submissions', async () => {
    await limitTo({ perOrganizationAndDay: 7n * RESERVED + 1n });
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });

    const counts = await submitConcurrently([...(await openSessions(20)), ...(await openSessions(3, other))]);

    expect(counts).toEqual({ taken: 10, per_organization_and_day: 13 });
  });

  it('allows a payer at most the balance, across all merchants, until transfers are seen', async () => {
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });
    const [first, ...rest] = [...(await openSessions(3)), ...(await openSessions(3, other))] as [
      CheckoutView,
      ...CheckoutView[],
    ];
    const { amount } = first.selected!;
    world.tokens.hold(PAYER, 3n * amount - 1n - world.tokens.balanceOf(PAYER));
    const signed = await world.signed(first);
    await world.submit(first, signed);

    await expect(submitConcurrently(rest)).resolves.toEqual({ taken: 1, balance: 4 });
    await world.look();
    world.useNonce(first, signed);
    const { id } = (await world.stored())[0]!;
    await world.sender.becomes(id, 'mined', await world.carriedOut(first, id));
    await expect(submitConcurrently(await openSessions(2))).resolves.toEqual({ balance: 2 });
    world.tokens.hold(PAYER, 1n);
    await expect(submitConcurrently(await openSessions(2))).resolves.toEqual({ taken: 1, balance: 1 });
  });

  it('holds for a network across organizations', async () => {
    await limitTo({ perDay: 5n * RESERVED });
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });

    const counts = await submitConcurrently([...(await openSessions(6)), ...(await openSessions(6, other))]);

    expect(counts).toEqual({ taken: 5, per_day: 7 });
  });

  it('holds for one payment, and counts its failed transactions', async () => {
    await limitTo({ perPayment: 2n * RESERVED });
    const session = await world.asked();
    const value = session.selected!.amount / 5n;
    await world.submit(session, await world.signed(session, { value }));
    await world.look();
    const [first] = await world.stored();
    const { number } = world.chain.mine();
    await world.becomesFinal();
    await world.sender.becomes(first!.id, 'reverted', number, RESERVED);
    await world.look();

    const signed = await Promise.all(Array.from({ length: 4 }, () => world.signed(session, { value })));
    const outcomes = await Promise.allSettled(
      signed.map((each) => world.submitting().submit(session.sessionId, each)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(world.submit(session, await world.signed(session, { value })))).toMatchObject({
      code: 'not_sponsored',
      errors: [{ rule: 'per_payment' }],
    });
    expect((await world.stored()).map(({ state }) => state)).toEqual(['failed', 'queued']);
  });

  it('counts the real cost once it is known, and no cost that is older than a day', async () => {
    await limitTo({ perDay: RESERVED });
    const [first, second, third] = (await openSessions(3)) as [CheckoutView, CheckoutView, CheckoutView];
    await world.submit(first, await world.signed(first));
    await expect(submitConcurrently([second])).resolves.toEqual({ per_day: 1 });
    await world.look();
    const { id } = (await world.stored())[0]!;
    const block = await world.carriedOut(first, id);
    await world.becomesFinal();
    await world.sender.becomes(id, 'final', block, RESERVED / 10n);

    await world.look();
    await expect(submitConcurrently([second])).resolves.toEqual({ per_day: 1 });
    world.catalogue.sponsor(NETWORK, {
      perPayment: RESERVED,
      perOrganizationAndDay: 9n * RESERVED,
      perDay: RESERVED + RESERVED / 10n,
    });

    await expect(submitConcurrently([second])).resolves.toEqual({ taken: 1 });
    await expect(submitConcurrently([third])).resolves.toEqual({ per_day: 1 });
    // Nobody posts to the ledger here, which the clock then finds late.
    expectedBreaches = ['ledger-confirmed-posted-once'];
    await world.platform.advance(24 * 3_600);
    const later = await world.select(await world.checkout(), DOLLAR);
    await expect(submitConcurrently([later])).resolves.toEqual({ taken: 1 });
  });
});
