import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CONFIRMATIONS, NETWORK, SmallCatalogue } from '../testing/collecting-world.js';
import { openPayments, pay, type Payments } from '../testing/open-payments.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(CONFIRMATIONS, SmallCatalogue.withAgreementAbove(5_000_000n));
  await payments.follow();
});
afterEach(() => payments.close());

describe('A transfer too large for one endpoint, in a block that became final by that one', () => {
  it('goes on waiting while the second endpoint that comes does not show it', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(CONFIRMATIONS);
    await payments.follow();
    const other = payments.chain.anotherEndpoint();
    other.holds = () => Promise.resolve(false);
    payments.witness.others.set(NETWORK, other);

    await payments.follow();
    const { finalNumber } = (await payments.watched.cursor(NETWORK))!;

    const { status, transfers } = await payments.read(request);
    expect(finalNumber).toBeGreaterThanOrEqual(transfers[0]!.blockNumber);
    expect([status, transfers[0]!.final]).toEqual(['processing', false]);
  });
});
