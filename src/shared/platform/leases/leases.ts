import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

/** A successor starts within 10 seconds of a crash. */
export const LEASE_SECONDS = 6;

/** A protected write throws this error; the former holder must stop immediately. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease ${name} has passed to another process.`);
  }
}

/** Every new holder gets a higher epoch, by which writes of a former holder are rejected. */
@Injectable()
export class Leases {
  protected readonly seconds: number = LEASE_SECONDS;
  /** Acquired on the current timeline. After a failover, another holder may get the same epoch. */
  private readonly taken = new Set<string>();

  constructor(private readonly database: Database) {
    database.identity.onAnotherTimeline(() => this.taken.clear());
  }

  /** Acquires or renews. @returns the epoch, or null while another process holds the lease */
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
   * Without renewal, two holders could alternately take over a lease forever. If a renewal is late, `protect` rejects
   * the writes.
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

  private async renew(name: string, holder: string): Promise<void> {
    await this.database.query(
      `UPDATE platform.leases SET expires_at = clock_timestamp() + make_interval(secs => $3)
       WHERE name = $1 AND holder = $2`,
      [name, holder, this.seconds],
    );
  }

  async release(name: string, holder: string): Promise<void> {
    await this.database.query(
      `UPDATE platform.leases SET expires_at = '-infinity' WHERE name = $1 AND holder = $2`,
      [name, holder],
    );
  }

  /** Protects the open unit of work: until it ends, no other process can acquire the lease. @throws LeaseLost */
  async lockUntilCommit(name: string, epoch: bigint): Promise<void> {
    const rows = await this.database.queryInTransaction(
      `SELECT 1 FROM platform.leases WHERE name = $1 AND epoch = $2 FOR SHARE`,
      [name, epoch.toString()],
    );
    if (rows.length === 0 || !this.taken.has(name)) throw new LeaseLost(name);
  }
}
