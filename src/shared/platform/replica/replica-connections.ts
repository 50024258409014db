import type { Pool, PoolClient } from 'pg';
import { isSameServer, type ServerIdentity } from '../database/server-identity.js';
import type { PrimaryWalSampler } from './primary-wal-sampler.js';
import type { WritePosition } from '../database/read-after.js';

export type ReplicaUnusableReason =
  /** The replica's data is older than the maximum age. */
  | 'behind'
  /** The replica has not replayed the caller's last write in time, or that write is on another timeline. */
  | 'after_write'
  /** The server is not a standby of this primary, or is not known to be on the same timeline. */
  | 'not_following'
  /** The replica is unreachable, or a statement failed. */
  | 'failed'
  /** The replica canceled a statement in order to continue replaying. */
  | 'conflict';

interface ReplayedState extends ServerIdentity {
  readonly isStandby: boolean;
  /** Position in the write-ahead log, in bytes. */
  readonly position: bigint;
  /** Id of the oldest transaction that may still be running. All earlier transactions have ended. */
  readonly firstOpen: bigint;
  readonly at: number;
}

/** A standby reports a new timeline slightly late, because it updates its control file only at a restart point. */
const SELECT_REPLAYED_STATE = `
SELECT pg_is_in_recovery() AS is_standby,
  coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::text AS position,
  pg_snapshot_xmin(pg_current_snapshot())::text AS first_open,
  (SELECT system_identifier::text FROM pg_control_system()) AS system_identifier,
  greatest((SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT min_recovery_end_timeline FROM pg_control_recovery())) AS timeline`;

/** Maximum age of the cached state of a connection's server. */
const STATE_CACHE_MS = 500;
const MAX_WAIT_MS = 2_000;
const RECHECK_INTERVAL_MS = 20;
/** Time for which the replica is not used after a failure. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Behind a load balancer, connections can lead to different servers. */
export class ReplicaConnections {
  private readonly states = new WeakMap<PoolClient, ReplayedState>();
  private restsUntil = 0;
  lastAge: number | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly primary: PrimaryWalSampler,
    private readonly boundMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The caller must release the connection. If only the caller's last write is missing, waits up to 2 s for it. */
  async takeConnection(after: WritePosition | undefined): Promise<PoolClient | ReplicaUnusableReason> {
    if (after !== undefined && after.timeline !== this.primary.primaryIdentity?.timeline)
      return 'after_write';
    const end = this.now() + MAX_WAIT_MS;
    for (;;) {
      const taken = await this.tryOnce(after);
      if (taken !== 'after_write' || this.now() + RECHECK_INTERVAL_MS >= end) return taken;
      await new Promise((resolve) => setTimeout(resolve, RECHECK_INTERVAL_MS));
    }
  }

  pauseUse(): void {
    this.restsUntil = this.now() + PAUSE_AFTER_FAILURE_MS;
  }

  private async tryOnce(after: WritePosition | undefined): Promise<PoolClient | ReplicaUnusableReason> {
    if (this.now() < this.restsUntil) return 'failed';
    let client: PoolClient | undefined;
    try {
      client = await this.pool.connect();
      const refusal = await this.refusalOf(client, after);
      if (refusal === undefined) return client;
      client.release();
      return refusal;
    } catch {
      client?.release(true);
      this.pauseUse();
      return 'failed';
    }
  }

  private async refusalOf(
    client: PoolClient,
    after: WritePosition | undefined,
  ): Promise<ReplicaUnusableReason | undefined> {
    let state = this.states.get(client);
    const isMissing = () => after !== undefined && state!.firstOpen <= after.transaction;
    if (state === undefined || this.now() - state.at > STATE_CACHE_MS || isMissing()) {
      state = await this.queryState(client);
      this.states.set(client, state);
    }
    const { primaryIdentity } = this.primary;
    if (!state.isStandby || primaryIdentity === undefined || !isSameServer(state, primaryIdentity))
      return 'not_following';
    this.lastAge = this.primary.ageOf(state.position);
    if (this.lastAge > this.boundMs) return 'behind';
    return isMissing() ? 'after_write' : undefined;
  }

  private async queryState(client: PoolClient): Promise<ReplayedState> {
    const at = this.now();
    const { rows } = await client.query<{
      is_standby: boolean;
      position: string;
      first_open: string;
      system_identifier: string;
      timeline: number;
    }>(SELECT_REPLAYED_STATE);
    const { is_standby, position, first_open, system_identifier, timeline } = rows[0]!;
    return {
      at,
      isStandby: is_standby,
      position: BigInt(position),
      firstOpen: BigInt(first_open),
      systemIdentifier: system_identifier,
      timeline,
    };
  }
}
