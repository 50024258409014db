import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import {
  openAuthorizations,
  PAYER,
  RESERVED,
  type Signing,
} from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';

let world: Signing;
let brokenOnPurpose: readonly string[] = [];
afterEach(() => world.close(brokenOnPurpose));

/** Each session's authorization at once, by processes in turn. @returns how many were taken, and what refused the others */
async function race(sessions: readonly CheckoutView[]) {
  const processes = [world.submitting(), world.submitting(), world.submitting()];
  const signed = await Promise.all(sessions.map((session) => world.signed(session)));
  const outcomes = await Promise.allSettled(
    sessions.map(({ sessionId }, n) => processes[n % 3]!.execute(sessionId, signed[n]!)),
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

async function asked(count: number, from = world.shop): Promise<CheckoutView[]> {
  const sessions: CheckoutView[] = [];
  for (let n = 0; n < count; n += 1) sessions.push(await world.asked(from));
  return sessions;
}

describe('What payments by signature may cost', () => {
  it('is not exceeded for an organization, whatever arrives in parallel', async () => {
    world = await openAuthorizations({ perOrganizationAndDay: 7n * RESERVED + 1n });
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });

    const counts = await race([...(await asked(20)), ...(await asked(3, other))]);

    expect(counts).toEqual({ taken: 10, per_organization_and_day: 13 });
  });

  it('is spent on no more than the payer’s balance covers, whoever is paid, until they are seen', async () => {
    world = await openAuthorizations();
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });
    const [first, ...rest] = [...(await asked(3)), ...(await asked(3, other))] as [
      CheckoutView,
      ...CheckoutView[],
    ];
    const { amount } = first.selected!;
    world.tokens.hold(PAYER, 3n * amount - 1n - world.tokens.balanceOf(PAYER));
    const signed = await world.signed(first);
    await world.submit(first, signed);

    await expect(race(rest)).resolves.toEqual({ taken: 1, balance: 4 });
    await world.look();
    world.useNonce(first, signed);
    const { id } = (await world.stored())[0]!;
    await world.sender.becomes(id, 'mined', await world.carriedOut(first, id));
    await expect(race(await asked(2))).resolves.toEqual({ balance: 2 });
    world.tokens.hold(PAYER, 1n);
    await expect(race(await asked(2))).resolves.toEqual({ taken: 1, balance: 1 });
  });

  it('is not exceeded on a network, whoever it is for', async () => {
    world = await openAuthorizations({ perDay: 5n * RESERVED });
    const other = await world.openShop({ organizationId: newId(), accountId: newId() });

    const counts = await race([...(await asked(6)), ...(await asked(6, other))]);

    expect(counts).toEqual({ taken: 5, per_day: 7 });
  });

  it('is not exceeded for one payment, with what failed', async () => {
    world = await openAuthorizations({ perPayment: 2n * RESERVED });
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
      signed.map((each) => world.submitting().execute(session.sessionId, each)),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(world.submit(session, await world.signed(session, { value })))).toMatchObject({
      code: 'not_sponsored',
      errors: [{ rule: 'per_payment' }],
    });
    expect((await world.stored()).map(({ state }) => state)).toEqual(['failed', 'queued']);
  });

  it('is what was spent, once that is known, and forgets what is older than a day', async () => {
    world = await openAuthorizations({ perDay: RESERVED });
    const [first, second, third] = (await asked(3)) as [CheckoutView, CheckoutView, CheckoutView];
    await world.submit(first, await world.signed(first));
    await expect(race([second])).resolves.toEqual({ per_day: 1 });
    await world.look();
    const { id } = (await world.stored())[0]!;
    const block = await world.carriedOut(first, id);
    await world.becomesFinal();
    await world.sender.becomes(id, 'final', block, RESERVED / 10n);

    await world.look();
    await expect(race([second])).resolves.toEqual({ per_day: 1 });
    world.catalogue.sponsor(NETWORK, {
      perPayment: RESERVED,
      perOrganizationAndDay: 9n * RESERVED,
      perDay: RESERVED + RESERVED / 10n,
    });

    await expect(race([second])).resolves.toEqual({ taken: 1 });
    await expect(race([third])).resolves.toEqual({ per_day: 1 });
    // Nobody posts to the ledger here, which the clock then finds late.
    brokenOnPurpose = ['ledger-confirmed-posted-once'];
    await world.platform.advance(24 * 3_600);
    const later = await world.select(await world.checkout(), DOLLAR);
    await expect(race([later])).resolves.toEqual({ taken: 1 });
  });
});
