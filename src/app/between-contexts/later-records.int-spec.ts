import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { PostgresLaterRecords } from './later-records.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close('any'));

it('What happened later about a payment is its settlements and refunds, oldest first, of its organization alone', async () => {
  const { database } = platform;
  const [organization, request] = [newId() as OrganizationId, newId() as PaymentRequestId];
  const [settlement, refund] = [newId(), newId()];
  await database.query(
    `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
       decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at,
       updated_at)
     VALUES ($1, $1, $2, $1, 'sandbox', 'a', 'USDX', 6, 2000000, 0, '0x5e', '0xfa', '0x1', 1, 'completed', $3, $3)`,
    [settlement, organization, new Date(2_000)],
  );
  await database.query(
    `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
       fee_basis_points) VALUES ($1, 1, $2, '0xda', 1, 0, 0)`,
    [settlement, request],
  );
  await database.run(async () => {
    await database.write('SET LOCAL session_replication_role = replica');
    await database.write(
      `INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id,
         merchant_name, network, token, unique_asset_id, currency, decimals, amount, status, to_address, created_at,
         updated_at)
       VALUES ($1, $2, $1, $3, $1, 'Corner', 'sandbox', '0xd1', 'a', 'USDX', 6, 7, 'pending', '0x70', $4, $4)`,
      [refund, organization, request, new Date(1_000)],
    );
  });
  const records = new PostgresLaterRecords(database);

  const common = { currency: 'USDX', decimals: 6 };
  expect(await records.recordsOf(organization, request)).toEqual([
    { ...common, kind: 'refund', id: refund, at: new Date(1_000), status: 'pending', amount: 7n },
    {
      ...common,
      kind: 'settlement',
      id: settlement,
      at: new Date(2_000),
      status: 'completed',
      amount: 2_000_000n,
      transactionHash: '0x1',
    },
  ]);
  expect(await records.recordsOf(newId() as OrganizationId, request)).toEqual([]);
});
