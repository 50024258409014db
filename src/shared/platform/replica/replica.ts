import { type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import type { Counter } from 'prom-client';
import { isTransientDatabaseError } from '../database/transient-error.js';
import type { Metrics } from '../metrics/metrics.js';
import { PrimaryLog } from './primary-log.js';
import { ReplicaConnections, type Refusal } from './replica-connections.js';
import { followedRequest } from './read-after.js';
import { EventLogger } from '../logging/event-logger.js';

/** Serialization failure: how a standby cancels a statement, or ends a connection, that is in the way of replaying. */
const CONFLICT = '40001';
/** Tables, columns and functions of a migration that the replica has not replayed yet. */
const UNKNOWN_NAMES = ['42P01', '42703', '42883'];
/** The statement took too long by itself; on the primary it would do so again. */
const TIMED_OUT = '57014';

/** How often the primary is asked within the bound. */
const SAMPLES_IN_BOUND = 10;
const LONGEST_PAUSE_MS = 1_000;

/** Answers reads that no decision hangs on from a streaming standby; wherever that will not do, the primary answers. */
export class Replica implements OnApplicationShutdown {
  private readonly log = new EventLogger('replica');
  private readonly primary: PrimaryLog;
  private readonly connections: ReplicaConnections;
  private readonly reads: Counter<'answered_by' | 'reason'>;
  private lastReason: Refusal | undefined;

  constructor(
    metrics: Metrics,
    private readonly pool: Pool,
    primary: Pick<Pool, 'query'>,
    maxAgeSeconds: number,
  ) {
    const boundMs = maxAgeSeconds * 1_000;
    this.primary = new PrimaryLog(primary, Math.min(boundMs / SAMPLES_IN_BOUND, LONGEST_PAUSE_MS));
    this.connections = new ReplicaConnections(pool, this.primary, boundMs);
    this.reads = metrics.counter({
      name: 'replica_reads_total',
      help: 'Reads that are allowed to use the replica, by the server that answered and the reason for using the primary.',
      labels: ['answered_by', 'reason'],
    });
    metrics.gauge(
      { name: 'replica_age_seconds', help: 'Maximum age of the data on the replica, as of the last check.' },
      (gauge) => {
        const age = this.connections.lastAge;
        if (age === undefined) metrics.clear(gauge);
        else gauge.set(age / 1_000);
      },
    );
  }

  /** Begins to note how far the primary is, so that the age of the replica is known. */
  begin(): Promise<void> {
    return this.primary.begin();
  }

  /** The timeline that the primary writes on, as of its last look; undefined before the first. */
  get timeline(): number | undefined {
    return this.primary.lineage?.timeline;
  }

  /**
   * Asks the replica where it is within the bound and has the caller's last write, else the primary.
   * @throws what `askPrimary` throws, and what `ask` throws where the primary would do no better
   */
  async read<T>(ask: (client: PoolClient) => Promise<T>, askPrimary: () => Promise<T>): Promise<T> {
    const taken = await this.connections.take(followedRequest()?.after);
    if (typeof taken === 'string') return this.refused(taken, askPrimary);
    let refusal: Refusal | undefined;
    try {
      const answer = await ask(taken);
      this.answered();
      return answer;
    } catch (error) {
      refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      if (refusal === 'failed') this.connections.rest();
    } finally {
      taken.release(refusal === 'failed');
    }
    return this.refused(refusal, askPrimary);
  }

  async onApplicationShutdown(): Promise<void> {
    this.primary.end();
    await this.pool.end();
  }

  private answered(): void {
    this.reads.inc({ answered_by: 'replica', reason: 'none' });
    if (this.lastReason !== undefined) this.log.write('replica.recovered');
    this.lastReason = undefined;
  }

  private refused<T>(reason: Refusal, askPrimary: () => Promise<T>): Promise<T> {
    this.reads.inc({ answered_by: 'primary', reason });
    // One line for each reason in turn; the metric counts all.
    const isOrdinary = reason === 'after_write' || reason === 'conflict';
    if (!isOrdinary && reason !== this.lastReason) this.log.write('replica.bypassed', { reason });
    if (!isOrdinary) this.lastReason = reason;
    return askPrimary();
  }
}

function refusalOf(error: unknown): Refusal | undefined {
  const { code } = error as { code?: unknown };
  if (code === CONFLICT) return 'conflict';
  if (typeof code === 'string' && UNKNOWN_NAMES.includes(code)) return 'behind';
  if (code === TIMED_OUT) return undefined;
  return isTransientDatabaseError(error) ? 'failed' : undefined;
}
