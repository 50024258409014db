import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** Time a lease outlives its last renewal, in real time. A successor starts within 10 seconds of a crash. */
export const LEASE_SECONDS = 6;

/** Thrown by a protected write if the holder was replaced. The holder must stop immediately. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease ${name} has passed to another process.`);
  }
}

/** Leases that one process holds at a time. The epoch grows with each change of holder and fences late writes. */
@Injectable()
export class Leases {
  /** Seconds that a lease outlives its last renewal. */
  protected readonly seconds: number = LEASE_SECONDS;
  /** Leases acquired on the current timeline. Another timeline may use the same epoch for another holder. */
  private readonly taken = new Set<string>();

  constructor(private readonly database: Database) {
    database.identity.onAnotherTimeline(() => this.taken.clear());
  }

  /**
   * Acquires a free or expired lease, or renews the holder's lease.
   * @returns the epoch, or null while another process holds the lease
   */
  async acquire(name: string, holder: string): Promise<bigint | null> {
    const [row] = await this.database.query<{ epoch: number }>(
      `INSERT INTO platform.leases AS held (name, holder, epoch, expires_at)
       VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
       ON CONFLICT (name) DO UPDATE SET
         holder = excluded.holder,
         epoch = held.epoch + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END,
         expires_at = excluded.expires_at
       WHERE held.holder = excluded.holder OR held.expires_at < clock_timestamp()
       RETURNING epoch`,
      [name, holder, this.seconds],
    );
    if (row === undefined) return null;
    this.taken.add(name);
    return BigInt(row.epoch);
  }

  /**
   * Renews the holder's lease during `work`, which may take any time. Without renewal, two holders could take a lease from
   * each other forever. `protect` detects a failed or late renewal.
   */
  async keepDuring<T>(name: string, holder: string, work: () => Promise<T>): Promise<T> {
    let renewal: Promise<unknown> | null = null;
    const timer = setInterval(
      () => {
        renewal ??= this.renew(name, holder)
          .catch(() => undefined)
          .finally(() => (renewal = null));
      },
      (this.seconds * 1_000) / 3,
    );
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await (renewal as Promise<unknown> | null);
    }
  }

  /** Renews only; never takes over a lease that has a new holder. */
  private async renew(name: string, holder: string): Promise<void> {
    await this.database.query(
      `UPDATE platform.leases SET expires_at = clock_timestamp() + make_interval(secs => $3)
       WHERE name = $1 AND holder = $2`,
      [name, holder, this.seconds],
    );
  }

  /** Releases the lease, so that a successor can take over immediately. */
  async release(name: string, holder: string): Promise<void> {
    await this.database.query(
      `UPDATE platform.leases SET expires_at = '-infinity' WHERE name = $1 AND holder = $2`,
      [name, holder],
    );
  }

  /** Fences the open unit of work: no other process can acquire the lease before it ends. @throws LeaseLost */
  async protect(name: string, epoch: bigint): Promise<void> {
    const rows = await this.database.queryInTransaction(
      `SELECT 1 FROM platform.leases WHERE name = $1 AND epoch = $2 FOR SHARE`,
      [name, epoch.toString()],
    );
    if (rows.length === 0 || !this.taken.has(name)) throw new LeaseLost(name);
  }
}
