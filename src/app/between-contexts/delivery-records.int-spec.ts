import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { PostgresDeliveryRecords } from './delivery-records.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close('any'));

it('A request’s deliveries are its newest settlement that stands, and all of its refunds, oldest first', async () => {
  const { database } = platform;
  const records = new PostgresDeliveryRecords(database);
  const [delivered, refunded, neither] = [newId(), newId(), newId()] as PaymentRequestId[];
  const settlements = [newId(), newId(), newId()];
  const statuses = ['completed', 'processing', 'failed'];
  for (const [i, id] of settlements.entries()) {
    await database.query(
      `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
         decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at,
         updated_at)
       VALUES ($1, $1, $1, $1, 'sandbox', 'a', 'USDX', 6, 1, 0, '0x5e', '0xfa', '0x1', 1, $2, $3, $3)`,
      [id, statuses[i], new Date(1_000 * (i + 1))],
    );
    await database.query(
      `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
         fee_basis_points) VALUES ($1, 1, $2, '0xda', 1, 0, 0)`,
      [id, delivered],
    );
  }
  await database.run(async () => {
    await database.write('SET LOCAL session_replication_role = replica');
    for (const [status, amount, hash, at] of [
      ['failed', 7, null, 2],
      ['completed', 500_000, '0xfe', 1],
    ])
      await database.write(
        `INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id,
           merchant_name, network, token, unique_asset_id, currency, decimals, amount, status, transaction_hash,
           to_address, approved_at, approved_by, float_address, created_at, updated_at)
         VALUES (gen_random_uuid(), $1, $1, $1, $1, 'Corner', 'sandbox', '0xd1', 'a', 'USDX', 6, $2, $3, $4, '0x70', now(),
           'x', '0xf1', $5, now())`,
        [refunded, amount, status, hash, new Date(1_000 * Number(at))],
      );
  });

  const of = await records.byRequest([delivered!, refunded!, neither!]);

  expect(of.size).toBe(2);
  expect(of.get(delivered!)).toEqual({ settlementId: settlements[1], refunds: [] });
  const common = {
    id: expect.any(String),
    uniqueAssetId: 'a',
    currency: 'USDX',
    decimals: 6,
    network: 'sandbox',
  };
  expect(of.get(refunded!)).toEqual({
    refunds: [
      { ...common, status: 'completed', amount: 500_000n, transactionHash: '0xfe' },
      { ...common, status: 'failed', amount: 7n },
    ],
  });
});
