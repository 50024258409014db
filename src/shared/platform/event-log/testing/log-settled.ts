import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import type { SubscriberRunner } from '../subscriber-runner.js';

const PATIENCE_MS = 60_000;

/**
 * Resolves when all events committed so far are readable. That requires that all older transactions on the server have
 * ended, including those of concurrent tests in other databases.
 */
export async function logSettled(database: Database): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await database.query<{ settled: boolean }>(
      `SELECT NOT EXISTS (SELECT 1 FROM platform.events
         WHERE transaction_id >= pg_snapshot_xmin(pg_current_snapshot())) AS settled`,
    );
    if (row!.settled) return;
    if (performance.now() > until) throw new Error('A transaction somewhere on this server does not end.');
    await pause(5);
  }
}

export async function readToEnd(database: Database, ...runners: readonly SubscriberRunner[]): Promise<void> {
  await logSettled(database);
  while ((await Promise.all(runners.map((runner) => runner.applyNextBatch()))).some(Boolean));
}
