import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openPayments, pay, type Payments } from '../testing/open-payments.js';
import type { PaymentRequestView } from './payment-request-view.js';

const MIGRATION = new URL(
  '../../../../migrations/1763700009300-what-earlier-releases-left.sql',
  import.meta.url,
);
/** The migration's statement for them. */
const UNCOUNT = /^WITH failed AS[^;]*;/m.exec(readFileSync(MIGRATION, 'utf8'))![0];

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

/** Failed while something was seen, which the earlier release went on counting as received. */
async function failedBefore(): Promise<PaymentRequestView> {
  const request = await payments.request();
  payments.chain.mine(pay(request, 700));
  await payments.follow();
  const now = await payments.platform.clock.now();
  await payments.database.run(async () => {
    const locked = await payments.requests.lock([request.id as never]);
    for (const each of locked) each.fail(now);
    await payments.requests.save(locked);
    await payments.database.write(
      'UPDATE payments.transfers SET counted = true WHERE payment_request_id = $1',
      [request.id],
    );
    await payments.database.write(
      'UPDATE payments.payment_requests SET received_amount = 7000000 WHERE id = $1',
      [request.id],
    );
  });
  return request;
}

describe('Money of a request that an earlier release failed', () => {
  it('that was final before the upgrade becomes a deposit with the next turn', async () => {
    const request = await failedBefore();
    payments.chain.mineEmpty(5);
    await payments.follow();
    const before = await payments.read(request);

    await payments.platform.database.query(UNCOUNT);
    await payments.follow();

    expect(before.transfers).toMatchObject([{ counted: true }]);
    const after = await payments.read(request);
    expect([after.status, after.receivedAmount]).toEqual(['failed', 0n]);
    expect(after.transfers).toMatchObject([{ counted: false, bookedAs: 'deposit' }]);
  });

  it('that becomes final later becomes a deposit then', async () => {
    const request = await failedBefore();
    await payments.platform.database.query(UNCOUNT);
    await payments.follow();
    const before = await payments.read(request);

    payments.chain.mineEmpty(5);
    await payments.follow();

    expect(before.transfers[0]!.bookedAs).toBeUndefined();
    expect((await payments.read(request)).transfers).toMatchObject([{ bookedAs: 'deposit' }]);
  });

  it('leaves what another request has received as it is', async () => {
    await failedBefore();
    const paid = await payments.request();
    payments.chain.mine(pay(paid, 300));
    await payments.follow();

    await payments.platform.database.query(UNCOUNT);

    expect((await payments.read(paid)).receivedAmount).toBe(3_000_000n);
  });
});
