import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { LEASE_SECONDS } from '#shared/platform/leases/leases.js';
import {
  WatchingStates,
  type NetworkWatchingState,
  type WatchingState,
} from '../../contract/watching-states.js';
import {
  isWatchedCondition,
  type NetworkReadProgress,
  NetworkReadProgressQuery,
} from '../../contract/reading-progress.js';

/** Shorter than the timeouts of the readiness and metrics endpoints that wait for it. */
const STATEMENT_TIMEOUT_MS = 2_000;

export interface WatchingRow extends Omit<NetworkWatchingState, 'network'> {
  /** Null if no network was ever read. The row then contains only the state of workers. */
  readonly network: string | null;
  readonly sinceTurn: number | null;
}

/**
 * The lease that expires last was therefore renewed last. The aliases are quoted because metrics read the rows as
 * JSON.
 */
export const WATCHING_STATE_SQL = `SELECT turns.since AS "sinceTurn", read.*
  FROM (SELECT (extract(epoch FROM clock_timestamp() - max(expires_at)) + ${LEASE_SECONDS})::float8 AS since
        FROM platform.leases WHERE expires_at > '-infinity') AS turns
  LEFT JOIN (
    SELECT c.network, c.head_number::float8 AS "headNumber", c.final_number::float8 AS "finalNumber",
      extract(epoch FROM platform.now() - c.head_time)::float8 AS "secondsBehind",
      extract(epoch FROM clock_timestamp() - c.disagrees_since)::float8 AS "secondsInDisagreement",
      extract(epoch FROM platform.now() - c.pending_read_at)::float8 AS "secondsSincePending",
      c.max_lag_seconds AS "maxLagSeconds", ${isWatchedCondition('c.network')} AS "isWatched"
    FROM payments.chain_cursors c) AS read ON true
  ORDER BY read.network`;

@Injectable()
export class PostgresWatchingStates extends WatchingStates {
  private running: Promise<WatchingState> | null = null;
  private cached: { readonly at: number; readonly result: WatchingState | Error } | null = null;
  private lastTurnAt = -Infinity;

  constructor(private readonly database: Database) {
    super();
    database.identity.onAnotherTimeline(() => (this.cached &&= { ...this.cached, at: -Infinity }));
  }

  async currentState(maxAgeMs: number): Promise<WatchingState> {
    if (this.cached === null || performance.now() - this.cached.at >= maxAgeMs) {
      this.running ??= this.read().finally(() => (this.running = null));
      await this.waitForStatement(this.running);
    }
    const { result } = this.cached!;
    if (result instanceof Error) throw result;
    return result;
  }

  /** Caches rows that the metrics scrape read with `WATCHING_STATE_SQL`. */
  cache(rows: readonly WatchingRow[]): WatchingState {
    const now = performance.now();
    const since = rows[0]?.sinceTurn ?? null;
    if (since !== null) this.lastTurnAt = Math.max(this.lastTurnAt, now - since * 1_000);
    const state = {
      // Remembers the last iteration, because all leases are briefly free when one worker replaces another.
      secondsSinceTurn: this.lastTurnAt === -Infinity ? null : Math.max(0, (now - this.lastTurnAt) / 1_000),
      networks: rows.flatMap(({ network, sinceTurn: _, ...row }) =>
        network === null ? [] : [{ network, ...row }],
      ),
    };
    this.cached = { at: now, result: state };
    return state;
  }

  private async read(): Promise<WatchingState> {
    try {
      return this.cache(await this.database.query<WatchingRow>(WATCHING_STATE_SQL));
    } catch (error) {
      this.cacheFailure(error);
      throw error;
    }
  }

  /** Caches an error if the statement fails or takes too long. */
  private async waitForStatement(statement: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Error>((resolve) => {
      const error = new Error(`The database did not answer within ${STATEMENT_TIMEOUT_MS / 1_000} seconds.`);
      timer = setTimeout(resolve, STATEMENT_TIMEOUT_MS, error);
    });
    const failure = await Promise.race([
      statement.then(
        () => null,
        (error: unknown) => error,
      ),
      late,
    ]);
    clearTimeout(timer);
    if (failure !== null) this.cacheFailure(failure);
  }

  private cacheFailure(error: unknown): void {
    const result = error instanceof Error ? error : new Error(String(error));
    this.cached = { at: performance.now(), result };
  }
}

@Injectable()
export class PostgresNetworkReadProgressQuery extends NetworkReadProgressQuery {
  constructor(private readonly database: Database) {
    super();
  }

  async networkProgress(): Promise<NetworkReadProgress[]> {
    return this.database.query<NetworkReadProgress>(
      `SELECT network, head_number, head_time, final_number, finalized_number, final_time, disagreement, disagrees_since,
         pending_read_at, max_lag_seconds,
         ${isWatchedCondition('read.network')} AS is_watched
       FROM payments.chain_cursors read ORDER BY network`,
    );
  }
}
