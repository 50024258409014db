import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { Settlement } from '#contexts/settlement/domain/settling/settlement.js';
import { PostgresSettlements } from './postgres-settlements.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

describe('The store of settlements', () => {
  it('stores a settlement and its event in one unit of work', async () => {
    const { database, eventLog } = platform;
    const settlements = new PostgresSettlements(database, eventLog);
    const addresses = [
      {
        paymentRequestId: newId<PaymentRequestId>(),
        address: '0xab',
        toSettlement: 99n,
        toFee: 1n,
        feeBasisPoints: 100,
      },
    ];
    const settlement = Settlement.createDelivered(
      {
        ...{ id: newId<string>(), payoutsId: newId<string>() },
        ...{ organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() },
        ...{ network: 'sandbox', uniqueAssetId: 'nsandbox_t0x', currency: 'USDX', decimals: 6 },
        ...{ settlementAddress: '0x01', from: '0x02', transactionHash: '0x03', addresses },
      },
      new Date(),
    );
    const undone = new Error('undone');
    let stored: object[] = [];

    const saving = database.run(async () => {
      await settlements.save([settlement], [], new Date());
      stored = await database.query(
        `SELECT e.type FROM platform.events e JOIN settlement.settlements s ON s.id = e.aggregate_id`,
      );
      throw undone;
    });

    await expect(saving).rejects.toBe(undone);
    expect(stored).toEqual([{ type: 'settlement.status_changed' }]);
  });
});
