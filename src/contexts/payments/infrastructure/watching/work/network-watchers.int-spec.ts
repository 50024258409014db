import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Leases } from '#shared/platform/leases/leases.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';
import { watcherLease } from '#contexts/payments/domain/watching/watched-chain.js';
import { PostgresNativeBalances } from '../persistence/postgres-native-balances.js';
import { NetworkWatchers } from './network-watchers.js';
import { ReadingPruning } from './reading-pruning.js';

class BriefLeases extends Leases {
  protected override readonly seconds = 1;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @throws Error where it does not become so within a minute */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isSo()); looks += 1) {
    if (looks === 1_200) throw new Error('It did not become so.');
    await wait(50);
  }
}

let payments: Payments;
let workers: NetworkWatchers[];
beforeEach(async () => {
  Logger.overrideLogger(false);
  payments = await openPayments();
  await payments.follow();
  await payments.database.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
  workers = [1, 2].map(
    () =>
      new NetworkWatchers(
        payments.catalogue,
        new BriefLeases(payments.database),
        payments.watcher(),
        new PaymentsSettings(480, 50, {} as never),
      ),
  );
});
afterEach(async () => {
  payments.chain.beforeAnswer = () => undefined;
  await Promise.all(workers.map((worker) => worker.beforeApplicationShutdown()));
  Logger.overrideLogger(['error', 'warn', 'log']);
  await payments.close();
});

async function headNumber(): Promise<number> {
  return (await payments.watched.cursor(NETWORK))!.head.number;
}

describe('Two workers on a node that takes longer to answer than a lease lasts', () => {
  it('get somewhere: the one that reads keeps its lease', async () => {
    payments.chain.mineEmpty(3);
    payments.chain.beforeAnswer = async (question) => {
      if (question === 'head') await wait(1_600);
    };

    for (const worker of workers) worker.onApplicationBootstrap();
    await until(async () => (await headNumber()) === 3);
  });
});

describe('A worker that stops', () => {
  it('ends its turn and lets go of its lease at once, for good', async () => {
    payments.chain.mineEmpty(3);
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    let ask!: () => void;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    payments.chain.beforeAnswer = () => (ask(), answered);
    workers[0]!.onApplicationBootstrap();
    await asked;

    const stopped = workers[0]!.beforeApplicationShutdown();
    answer();
    await stopped;
    const epoch = await payments.leases.acquire(watcherLease(NETWORK), payments.point.id);

    expect(epoch).not.toBeNull();
  });
});

describe('A worker that starts', () => {
  it('forgets blocks far below the head, also where nothing is final yet', async () => {
    await payments.database.query(
      `UPDATE payments.chain_cursors SET head_number = 6000, final_number = NULL, final_time = NULL`,
    );
    await payments.database.query(`UPDATE payments.blocks SET number = 6000`);
    await payments.database.query(
      `INSERT INTO payments.blocks SELECT network, 999, hash, parent_hash, time FROM payments.blocks`,
    );

    const pruning = new ReadingPruning(
      payments.watched,
      new PostgresNativeBalances(payments.database),
      payments.catalogue,
    );
    pruning.onApplicationBootstrap();
    const kept = () => payments.database.query<{ number: number }>('SELECT number FROM payments.blocks');
    await until(async () => (await kept()).length === 1).finally(() => pruning.beforeApplicationShutdown());

    expect(await kept()).toEqual([{ number: 6000 }]);
  });
});
