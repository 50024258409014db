import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { NETWORK, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { PostgresAccountOpenItems } from './account-open-items.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
});
afterAll(() => platform.close());

const UNDONE = new Error('undone');

describe('The check for open business of an account', () => {
  it('counts money as unsettled until its payout is final and the settlement is recorded', async () => {
    const { database } = platform;
    const [organizationId, accountId, group] = [newId(), newId(), newId()];
    const scope = { organizationId: organizationId as OrganizationId, accountId: accountId as AccountId };
    const unsettled: (readonly string[])[] = [];
    const look = async () =>
      unsettled.push((await new PostgresAccountOpenItems(database).readOpenItems(scope)).unsettledAssets);
    const change = async (sql: string) => {
      await database.queryInTransaction(sql);
      await look();
    };

    await database
      .run(async () => {
        await database.queryInTransaction(
          `INSERT INTO payments.payouts (id, group_id, network, transaction_hash, log_index, block_number, block_hash,
           block_time, from_address, address, unique_asset_id, currency, decimals, to_settlement, to_fee, payment_request_id,
           organization_id, account_id)
         VALUES ($1, $1, 'sandbox', '0x1', 0, 1, '0x2', now(), '0xfa', '0xda', 'nsandbox_t0x1', 'USDX', 6, 1, 0, $1, $2, $3)`,
          [group, organizationId, accountId],
        );
        await look();
        await database.queryInTransaction(
          `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id,
           currency, decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status,
           created_at, updated_at)
         VALUES ($1, $1, $2, $3, 'sandbox', 'nsandbox_t0x1', 'USDX', 6, 1, 0, '0x5e', '0xfa', '0x1', 1, 'processing',
           now(), now())`,
          [group, organizationId, accountId],
        );
        await change('UPDATE payments.payouts SET final = true');
        await change(`UPDATE settlement.settlements SET status = 'completed'`);
        await change('UPDATE payments.payouts SET canonical = false');
        throw UNDONE;
      })
      .catch((error: unknown) => {
        if (error !== UNDONE) throw error;
      });

    expect(unsettled).toEqual([['nsandbox_t0x1'], ['nsandbox_t0x1'], [], []]);
  });

  it('counts refunds and withdrawals of a refund float as open until they end', async () => {
    const world = await RefundsWorld.open();
    const { organizationId, accountId, token } = world;
    await world.fund();
    const look = async () => {
      const business = new PostgresAccountOpenItems(world.platform.database);
      const { openRefunds, openFloatWithdrawals } = await business.readOpenItems({
        organizationId,
        accountId,
      });
      return [openRefunds, openFloatWithdrawals];
    };
    const found = [await world.platform.database.run(look)];
    const change = async (doing: () => Promise<unknown>) => {
      await doing();
      found.push(await world.platform.database.run(look));
    };

    const { id } = (await world.create({ of: world.request(), claim: {} })).refund;
    await change(() => world.create({ of: world.request() }));
    await change(() => world.process().cancel.cancel(world.scope, id));
    await change(async () => {
      await world.turn();
      world.chain.mine(world.chain.orders[0]!.id, 'final');
      await world.turn();
    });
    await change(() =>
      world.process().withdraw.withdraw({
        organizationId,
        network: NETWORK,
        uniqueAssetId: token.uniqueAssetId,
        amount: '1',
        actor: 'ops',
      }),
    );
    await world.close();

    expect(found).toEqual([
      [0, 0],
      [2, 0],
      [1, 0],
      [0, 0],
      [0, 1],
    ]);
  });
});
