import { SANDBOX_CLUSTER } from '#shared/platform/clock/sandbox-cluster.js';
import type { Database } from '#shared/platform/database/database.js';
import { formatDuration } from '../duration.js';
import { callAnvil, refused } from './reorganise-chain.js';
import { MOST_MINUTES_AHEAD } from './sandbox-blocks.js';

/** The sandbox's keys and credentials are made for ten years: half of that is left to use them in. */
export const MAX_DAYS_AHEAD = 1_825;

/** How far the clock may be ahead of real time. */
export interface ClockLimit {
  readonly seconds: number;
  readonly words: string;
  /** The end of a sentence. */
  readonly why: string;
}

const YEARS: ClockLimit = { seconds: MAX_DAYS_AHEAD * 86_400, words: `${MAX_DAYS_AHEAD}d`, why: '' };

/** With Bitcoin beside the chain: no block of it may be dated two hours ahead. */
export const BITCOIN_LIMIT: ClockLimit = {
  seconds: MOST_MINUTES_AHEAD * 60,
  words: `${MOST_MINUTES_AHEAD}m`,
  why: ', because Bitcoin nodes reject blocks dated two hours ahead',
};

/** Another program may mine in between, or move the clock once more. */
const TRIES = 20;

export interface TimeMoved {
  readonly before: Date;
  readonly after: Date;
}

/** @throws DomainError for every database but that of a sandbox: elsewhere a moved clock makes each deadline wrong */
export async function refuseOtherDatabase(database: Database): Promise<void> {
  const [row] = await database.query<{ cluster: string }>(
    `SELECT current_setting('cluster_name') AS cluster`,
  );
  if (row!.cluster === SANDBOX_CLUSTER) return;
  throw refused(
    'DATABASE_URL is set: only the clock of a sandbox with its embedded database can be moved. ' +
      'Start a sandbox without DATABASE_URL (npm start) and move its clock.',
  );
}

/** The service's time, and how many seconds it is ahead of real time. */
export async function readServiceClock(database: Database): Promise<{ now: Date; aheadSeconds: number }> {
  const [row] = await database.query<{ now: Date; aheadSeconds: number }>(
    `SELECT platform.now() AS now, extract(epoch FROM value)::integer AS ahead_seconds FROM platform.clock_offset`,
  );
  return row!;
}

/**
 * Moves the one clock. Statements that come at once follow one another, and each moves it.
 * @param limit how far it may be ahead in all
 * @throws DomainError where it would be ahead by more; it is not moved then
 */
export async function moveServiceClock(
  database: Database,
  seconds: number,
  limit: ClockLimit = YEARS,
): Promise<TimeMoved> {
  const [moved] = await database.query<TimeMoved>(
    `UPDATE platform.clock_offset SET value = value + make_interval(secs => $1::integer)
     WHERE extract(epoch FROM value) + $1::integer <= $2::integer
     RETURNING date_trunc('milliseconds', now() + value - make_interval(secs => $1::integer)) AS before,
       date_trunc('milliseconds', now() + value) AS after`,
    [seconds, limit.seconds],
  );
  if (moved !== undefined) return moved;
  const { aheadSeconds } = await readServiceClock(database);
  throw refused(
    `The clock is ${formatDuration(aheadSeconds)} ahead of real time. The limit is ${limit.words}${limit.why}. ` +
      'npm run reset starts over with an empty sandbox.',
  );
}

/**
 * Mines a block of the service's time, from which the chain's time goes on. Only ever the present time of the service, so
 * that no block is ahead of its clock, which a watcher would refuse, whatever others move meanwhile.
 * @returns times of the newest block
 */
export async function bringChainTo(url: string, serviceTime: () => Promise<Date>): Promise<TimeMoved> {
  const before = await chainTime(url);
  const target = wholeSeconds(await serviceTime());
  for (let tries = 0; tries < TRIES; tries += 1) {
    const after = await chainTime(url);
    if (wholeSeconds(after) >= target) return { before, after };
    const next = wholeSeconds(await serviceTime());
    // Refused where a block of that time was mined meanwhile, as the next look shows.
    await callAnvil(url, 'evm_setNextBlockTimestamp', [next]).catch(() => undefined);
    await callAnvil(url, 'evm_mine');
  }
  throw refused(
    `The service's clock was moved, but the chain at ${url} did not follow. Restart the sandbox to set the chain to the service's time.`,
  );
}

/** The time of the newest block. */
export async function chainTime(url: string): Promise<Date> {
  const { timestamp } = await callAnvil<{ timestamp: string }>(url, 'eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return new Date(Number(timestamp) * 1_000);
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
