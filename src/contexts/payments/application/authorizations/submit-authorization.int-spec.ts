import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cell } from '#shared/kernel/cell.js';
import { newSessionId } from '../checkout/checkout-session.js';
import { ExpirePaymentRequest } from '../requests/expire-payment-request.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { openAuthorizations, type Signing } from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';

const NOBODYS = `0x${'00'.repeat(65)}`;

let world: Signing;
let session: CheckoutView;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
});
afterEach(() => world.close());

/** Code and rule that this is refused with. */
async function refused(doing: Promise<unknown>): Promise<string> {
  const { code, errors } = await refusal(doing);
  return [code, errors[0]?.field, errors[0]?.rule].filter((part) => part !== undefined).join(' ');
}

describe('What a payer signed', () => {
  it('is answered with the first one’s state where the same message comes with another signature', async () => {
    const signed = await world.signed(session);
    await world.submit(session, signed);

    const again = await world.submit(session, { ...signed, signature: NOBODYS });

    expect(again).toEqual({ status: 'queued' });
    const [row] = await world.platform.database.query<{ signature: Buffer }>(
      'SELECT signature FROM payments.authorizations',
    );
    expect(`0x${row!.signature.toString('hex')}`).toBe(signed.signature);
  });

  it('is refused where the nonce was used for another message, or for another session', async () => {
    const signed = await world.signed(session);
    const other = await world.asked();
    await world.submit(session, signed);
    const another = { ...signed, authorization: { ...signed.authorization, validBefore: 2n ** 40n } };

    expect(await refused(world.submit(session, another))).toBe('state_conflict');
    expect(await refused(world.submit(other, signed))).toBe('state_conflict');
    expect(await world.stored()).toHaveLength(1);
  });

  it('is refused while another one pays all that is missing, and taken for the rest', async () => {
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));

    expect(await refused(world.submit(session, await world.signed(session)))).toBe('state_conflict');
    expect(await world.submit(session, await world.signed(session, { value: half }))).toEqual({
      status: 'queued',
    });
    expect(await refused(world.submit(session, await world.signed(session, { value: half })))).toBe(
      'state_conflict',
    );
  });

  it.each([
    ['more than is missing', { value: 10_000_001n }, 'validation_failed authorization.value at_most_missing'],
    ['less than the minimum', { value: 9_999n }, 'validation_failed authorization.value minimum_amount'],
    ['what is not valid yet', { validAfter: 2n ** 40n }, 'authorization_refused authorization time'],
    ['what has expired', { validBefore: 1n }, 'authorization_refused authorization time'],
  ])('is refused for %s', async (_what, fields, expected) => {
    expect(await refused(world.submit(session, await world.signed(session, fields)))).toBe(expected);
    expect(await world.stored()).toEqual([]);
  });

  it('is refused for what somebody else signed', async () => {
    const signed = { ...(await world.signed(session)), signature: NOBODYS };

    expect(await refused(world.submit(session, signed))).toBe(
      'authorization_refused authorization signature',
    );
    expect(await world.stored()).toEqual([]);
  });

  it('is refused where it would expire before it can be mined', async () => {
    const now = BigInt(Math.floor((await world.platform.clock.now()).getTime() / 1_000));
    const signed = await world.signed(session, { validBefore: now + 30n });

    expect(await refused(world.submit(session, signed))).toBe('authorization_refused authorization time');
  });

  it('may be less than the minimum where less is missing', async () => {
    world.chain.mine({ ...pay(session.selected!, 0), amount: session.selected!.amount - 5_000n });
    await world.follow();
    const rest = (await world.session(session))!;

    expect(await world.submit(rest, await world.signed(rest))).toEqual({ status: 'queued' });
  });

  it('is refused for a session that nobody knows, that has no asset yet, that is paid, or that has ended', async () => {
    const signed = await world.signed(session);
    const pending = await world.checkout();
    const paid = await world.asked();
    await world.carriedOut(paid);

    expect(await refused(world.submit({ ...session, sessionId: newSessionId(new Cell()) }, signed))).toBe(
      'not_found',
    );
    expect(await refused(world.submit(pending, signed))).toBe('state_conflict');
    expect(await refused(world.submit(paid, signed))).toBe('state_conflict');
    await world.platform.advance(481);
    expect((await refusal(world.submit(session, signed))).message).toContain('has ended');
    expect(await world.stored()).toEqual([]);
  });

  it('is refused where another asset is selected while it is simulated', async () => {
    const signed = await world.signed(session);
    const plan = world.tokens.plan.bind(world.tokens);
    world.tokens.plan = async (each) => {
      await world.select(session, EURO);
      return plan(each);
    };

    expect(await refused(world.submit(session, signed))).toBe('state_conflict');
    expect(await world.stored()).toEqual([]);
  });

  it('keeps its asset selected until it is over', async () => {
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

  it('keeps its request from being ended by the merchant', async () => {
    const { requests, database, platform } = world;
    const { organizationId, pointOfSaleId, id } = session;
    const expire = () =>
      new ExpirePaymentRequest(requests, database, platform.clock).execute(
        { organizationId, accountId: null },
        pointOfSaleId,
        id,
      );
    await world.submit(session, await world.signed(session));

    expect(await refused(expire())).toBe('state_conflict');
    expect((await world.queries.find(session.sessionId))!.expiresAt).toEqual(session.expiresAt);
  });

  it('stays unstored while no node answers, and is taken after', async () => {
    const signed = await world.signed(session);
    world.tokens.isAway = true;

    expect(await refused(world.submit(session, signed))).toBe('unavailable');
    world.tokens.isAway = false;

    expect(await world.submit(session, signed)).toEqual({ status: 'queued' });
  });

  it('is not sponsored where the token takes none, or the operator pays for none', async () => {
    const noticed: string[] = [];
    const submit = world.submitting();
    submit.onNotSponsored((network, reason) => void noticed.push(`${network} ${reason}`));
    const signed = await world.signed(session);
    world.tokens.isPlain = true;

    expect(await refused(submit.execute(session.sessionId, signed))).toBe(
      'not_sponsored authorization asset',
    );
    world.catalogue.sponsor(NETWORK);
    expect(await refused(submit.execute(session.sessionId, signed))).toBe(
      'not_sponsored authorization network',
    );
    expect(noticed).toEqual([`${NETWORK} asset`, `${NETWORK} network`]);
  });
});
