import { type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import type { Counter } from 'prom-client';
import { ReplicaReads } from '../database/database.js';
import { isTransientDatabaseError } from '../database/transient-error.js';
import type { Metrics } from '../metrics/metrics.js';
import { PrimaryWalSampler } from './primary-wal-sampler.js';
import { ReplicaConnections, type ReplicaUnusableReason } from './replica-connections.js';
import { currentReadAfterWriteContext } from '../database/read-after.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** SQLSTATE serialization_failure. A standby cancels statements and closes connections that block replaying. */
const CONFLICT_STATE = '40001';
const UNKNOWN_NAME_STATES = ['42P01', '42703', '42883'];
/** SQLSTATE of a timeout. The statement is not repeated on the primary, where it would time out too. */
const TIMEOUT_STATE = '57014';

const SAMPLES_PER_MAX_AGE = 10;
const MAX_SAMPLE_PAUSE_MS = 1_000;

/** Reads from a streaming standby, and counts how many reads it and the primary have answered. */
export class Replica extends ReplicaReads implements OnApplicationShutdown {
  private readonly log = new OperatorLogWriter('replica', PLATFORM_LOG_EVENTS);
  private readonly primary: PrimaryWalSampler;
  private readonly connections: ReplicaConnections;
  private readonly reads: Counter<'answered_by' | 'reason'>;
  private lastReason: ReplicaUnusableReason | undefined;

  constructor(
    metrics: Metrics,
    private readonly pool: Pool,
    primary: Pick<Pool, 'query'>,
    maxAgeSeconds: number,
  ) {
    super();
    const boundMs = maxAgeSeconds * 1_000;
    this.primary = new PrimaryWalSampler(
      primary,
      Math.min(boundMs / SAMPLES_PER_MAX_AGE, MAX_SAMPLE_PAUSE_MS),
    );
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
        if (age === undefined) metrics.clearGauge(gauge);
        else gauge.set(age / 1_000);
      },
    );
  }

  startSamplingPrimary(): Promise<void> {
    return this.primary.begin();
  }

  get timeline(): number | undefined {
    return this.primary.primaryIdentity?.timeline;
  }

  /** @throws errors of `askPrimary`, and errors of `ask` that the primary would repeat */
  async read<T>(ask: (client: PoolClient) => Promise<T>, askPrimary: () => Promise<T>): Promise<T> {
    const taken = await this.connections.takeConnection(currentReadAfterWriteContext()?.after);
    if (typeof taken === 'string') return this.readFromPrimary(taken, askPrimary);
    let refusal: ReplicaUnusableReason | undefined;
    try {
      const answer = await ask(taken);
      this.countReplicaRead();
      return answer;
    } catch (error) {
      refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      if (refusal === 'failed') this.connections.pauseUse();
    } finally {
      taken.release(refusal === 'failed');
    }
    return this.readFromPrimary(refusal, askPrimary);
  }

  async onApplicationShutdown(): Promise<void> {
    this.primary.end();
    await this.pool.end();
  }

  private countReplicaRead(): void {
    this.reads.inc({ answered_by: 'replica', reason: 'none' });
    if (this.lastReason !== undefined) this.log.write('replica.recovered');
    this.lastReason = undefined;
  }

  private readFromPrimary<T>(reason: ReplicaUnusableReason, askPrimary: () => Promise<T>): Promise<T> {
    this.reads.inc({ answered_by: 'primary', reason });
    // Logs a reason only if it differs from the last one. The metric counts every read.
    const isOrdinary = reason === 'after_write' || reason === 'conflict';
    if (!isOrdinary && reason !== this.lastReason) this.log.write('replica.bypassed', { reason });
    if (!isOrdinary) this.lastReason = reason;
    return askPrimary();
  }
}

function refusalOf(error: unknown): ReplicaUnusableReason | undefined {
  const { code } = error as { code?: unknown };
  if (code === CONFLICT_STATE) return 'conflict';
  if (typeof code === 'string' && UNKNOWN_NAME_STATES.includes(code)) return 'behind';
  if (code === TIMEOUT_STATE) return undefined;
  return isTransientDatabaseError(error) ? 'failed' : undefined;
}
