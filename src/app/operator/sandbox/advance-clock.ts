import { stateConflict } from '#shared/kernel/domain-error.js';
import { SANDBOX_CLUSTER_NAME } from '#shared/platform/clock/sandbox-cluster.js';
import type { Database } from '#shared/platform/database/database.js';
import { formatDuration } from '../duration.js';
import { callAnvil } from './reorganize-chain.js';
import { MAX_BLOCK_MINUTES_AHEAD } from './sandbox-blocks.js';

/** Half of the ten years after which the sandbox's keys and credentials expire. */
export const MAX_DAYS_AHEAD = 1_825;

export interface ClockLimit {
  readonly seconds: number;
  readonly words: string;
  readonly why: string;
}

const YEARS_LIMIT: ClockLimit = { seconds: MAX_DAYS_AHEAD * 86_400, words: `${MAX_DAYS_AHEAD}d`, why: '' };

/** Bitcoin nodes reject blocks with timestamps two hours ahead. */
export const BITCOIN_CLOCK_LIMIT: ClockLimit = {
  seconds: MAX_BLOCK_MINUTES_AHEAD * 60,
  words: `${MAX_BLOCK_MINUTES_AHEAD}m`,
  why: ', because Bitcoin nodes reject blocks dated two hours ahead',
};

/** Another program may mine or move the clock between attempts. */
const MAX_MINING_TRIES = 20;

export interface ClockShift {
  readonly before: Date;
  readonly after: Date;
}

/** A moved clock makes every deadline wrong. @throws DomainError */
export async function requireSandboxDatabase(database: Database): Promise<void> {
  const [row] = await database.query<{ cluster: string }>(
    `SELECT current_setting('cluster_name') AS cluster`,
  );
  if (row!.cluster === SANDBOX_CLUSTER_NAME) return;
  throw stateConflict(
    'DATABASE_URL is set: only the clock of a sandbox with its embedded database can be moved. ' +
      'Start a sandbox without DATABASE_URL (npm start) and move its clock.',
  );
}

export async function readServiceClock(database: Database): Promise<{ now: Date; aheadSeconds: number }> {
  const [row] = await database.query<{ now: Date; aheadSeconds: number }>(
    `SELECT platform.now() AS now, extract(epoch FROM value)::integer AS ahead_seconds FROM platform.clock_offset`,
  );
  return row!;
}

/**
 * @param limit that the clock may be ahead in total @throws DomainError if it would be exceeded; the clock then stays
 * unchanged
 */
export async function moveServiceClock(
  database: Database,
  seconds: number,
  limit: ClockLimit = YEARS_LIMIT,
): Promise<ClockShift> {
  const [moved] = await database.query<ClockShift>(
    `UPDATE platform.clock_offset SET value = value + make_interval(secs => $1::integer)
     WHERE extract(epoch FROM value) + $1::integer <= $2::integer
     RETURNING date_trunc('milliseconds', now() + value - make_interval(secs => $1::integer)) AS before,
       date_trunc('milliseconds', now() + value) AS after`,
    [seconds, limit.seconds],
  );
  if (moved !== undefined) return moved;
  const { aheadSeconds } = await readServiceClock(database);
  throw stateConflict(
    `The clock is ${formatDuration(aheadSeconds)} ahead of real time. The limit is ${limit.words}${limit.why}. ` +
      'npm run reset starts over with an empty sandbox.',
  );
}

/**
 * Never uses a later time, because watchers reject blocks ahead of the service's clock. @returns timestamps of the
 * newest block before and after the call
 */
export async function advanceChainTo(url: string, serviceTime: () => Promise<Date>): Promise<ClockShift> {
  const before = await readChainTime(url);
  const target = toWholeSeconds(await serviceTime());
  for (let tries = 0; tries < MAX_MINING_TRIES; tries += 1) {
    const after = await readChainTime(url);
    if (toWholeSeconds(after) >= target) return { before, after };
    const next = toWholeSeconds(await serviceTime());
    await callAnvil(url, 'evm_setNextBlockTimestamp', [next]).catch(() => undefined);
    await callAnvil(url, 'evm_mine');
  }
  throw stateConflict(
    `The service's clock was moved, but the chain at ${url} did not follow. Restart the sandbox to set the chain to the service's time.`,
  );
}

export async function readChainTime(url: string): Promise<Date> {
  const { timestamp } = await callAnvil<{ timestamp: string }>(url, 'eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return new Date(Number(timestamp) * 1_000);
}

function toWholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
