import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { OUTPUT_COIN } from '#contexts/networks/testing/output-family.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { openWalletPayments, type WalletPayments } from '../../testing/links/open-wallet-payments.js';
import { ObservedDatabase } from '../../testing/requests/observed-database.js';

let bench: WalletPayments;
beforeEach(async () => {
  bench = await openWalletPayments();
});
afterEach(() => bench.close());

describe('64 creators on two wallets, whose connection is cut after every fifth statement', () => {
  it('leave no number out and take none twice', async () => {
    const other = await bench.openShop('OTHER');
    const options = { poolSize: 8, applicationName: 'creator', onPoolError: () => undefined };
    const dataSource = await createDataSource({ databaseUrl: bench.platform.url, ...options }).initialize();
    const database = new ObservedDatabase(dataSource);
    const creator = bench.processOn(database);
    let answered = 0;
    let cut = 0;
    let most = 0;
    database.afterStatement = async (text) => {
      // One unit of work for each wallet: the other creators wait without a connection.
      most = Math.max(most, database.unitsOpen);
      if (text.includes('pg_terminate_backend') || (answered += 1) % 5 !== 0) return;
      cut += 1;
      await database.query('SELECT pg_terminate_backend(pg_backend_pid())');
    };
    const create = async (point: CollectingPoint): Promise<void> => {
      const created = await creator
        .execute({
          scope: { organizationId: point.organizationId, accountId: null },
          pointOfSaleId: point.id,
          amount: '0.01',
          uniqueAssetId: OUTPUT_COIN.uniqueAssetId,
          at: await bench.platform.clock.now(),
        })
        .catch(() => null);
      return created === null ? create(point) : undefined;
    };

    await Promise.all(Array.from({ length: 64 }, (_, i) => create(i % 2 === 0 ? bench.shop : other)));
    await dataSource.destroy();

    const all = Array.from({ length: 32 }, (_, number) => number);
    expect(most).toBeLessThanOrEqual(2);
    expect(cut).toBeGreaterThan(16);
    expect(await bench.numbers()).toEqual({
      'wallet(OTHER)': { taken: all, next: 32 },
      'wallet(OWN)': { taken: all, next: 32 },
    });
  });
});
