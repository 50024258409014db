import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { PeriodQueries } from './period-queries.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close('any'));

describe('The list of monthly periods', () => {
  it('counts only approved refunds and withdrawals of the organization as in flight', async () => {
    const { database } = platform;
    const [organization, stranger] = [newId<OrganizationId>(), newId<OrganizationId>()];
    const refund = (owner: string, status: string) =>
      database.queryInTransaction(
        `INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name,
         network, token, unique_asset_id, currency, decimals, amount, status, to_address, approved_at, approved_by,
         float_address, created_at, updated_at)
       SELECT gen_random_uuid(), $1, $1, $1, $1, 'Corner', 'sandbox', '0xd1', 'a', 'USDX', 6, 7, $2, '0x70',
         a.at, CASE WHEN a.at IS NOT NULL THEN 'limit' END, CASE WHEN a.at IS NOT NULL THEN '0xf1' END, now(), now()
       FROM (SELECT CASE WHEN $2 <> 'pending' THEN now() END) a (at)`,
        [owner, status],
      );
    await database.run(async () => {
      await database.queryInTransaction('SET LOCAL session_replication_role = replica');
      for (const owner of [organization, stranger]) await refund(owner, 'processing');
      await refund(organization, 'pending');
      for (const [owner, amount] of [
        [organization, 5],
        [stranger, 70],
      ])
        await database.queryInTransaction(
          `WITH account AS (INSERT INTO ledger.sequences (scope_id, organization_id, account_id, last, last_created_at)
             SELECT id, $1, id, 1, now() FROM (SELECT gen_random_uuid() AS id) one RETURNING scope_id AS id)
           INSERT INTO ledger.balances (organization_id, account_id, ledger_account, unique_asset_id, amount)
           SELECT $1, id, v.* FROM account, (VALUES ('in_flight', 'a', $2::numeric), ('in_flight', 'b', 0), ('custody', 'a', 9)) v`,
          [owner, amount],
        );
      await database.queryInTransaction(
        `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, counted, final, detected_at)
       SELECT owner, 'sandbox', 'log', owner::text, 0, 9, '0x9', now(), 'a', 'USDX', '0x1', '0x2', 1, 6, 1, owner, owner,
         owner, true, false, now() FROM unnest($1::uuid[]) owner`,
        [[organization, stranger]],
      );
      await database.queryInTransaction(
        `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
         unique_asset_id, currency, decimals, amount, to_address, gas_reserved, status, ordered_by, failure, from_allotment, ended_at)
       SELECT gen_random_uuid(), owner, owner, owner, 'sandbox', 'withdrawal', '0xd1', 'a', 'USDX', 6, 7, '0x70', 0, status, 'operator',
         CASE status WHEN 'failed' THEN 'x' END, false, CASE status WHEN 'failed' THEN now() END
       FROM unnest('{processing,processing,failed,processing}'::text[], $1::uuid[]) AS t (status, owner)`,
        [[organization, organization, organization, stranger]],
      );
    });

    expect(await new PeriodQueries(database).findFundsInFlight(organization)).toEqual({
      arriving: 1,
      sending: 3,
      settling: [{ uniqueAssetId: 'a', amount: 5n }],
    });
  });
});
