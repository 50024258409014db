import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { afterNoon, newTenant, StoredPayments } from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresRefunds } from '#contexts/settlement/infrastructure/refunds/persistence/postgres-refunds.js';

const ASSET = 'nsandbox_tUSDX';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close('any'));

describe('The amount that a payment request received', () => {
  it('sums payment and deposits of one asset, without reversed transfers', async () => {
    const stored = new StoredPayments(platform.database);
    const paid = await stored.request(newTenant(), { status: 'completed', confirmed_at: afterNoon(300) });
    const deposit = { final: true, counted: false, deposited_at: afterNoon(600), amount: '300' };
    const refunds = new PostgresRefunds(platform.database, platform.eventLog);
    const received = () => refunds.findReceivedSum(paid.id as PaymentRequestId, ASSET);
    expect(await received()).toBe(0n);
    const transactionHash = await stored.transfer(paid, { final: true });
    await stored.transfer(paid, deposit);
    await stored.transfer(paid, { ...deposit, unique_asset_id: 'nsandbox_tETH' });
    expect(await received()).toBe(10_000_300n);

    await platform.database.query(
      `UPDATE payments.transfers SET canonical = false, counted = false, reversed_at = now() WHERE transaction_hash = $1`,
      [transactionHash],
    );

    expect(await received()).toBe(300n);
  });
});
