import {
  queryWithIdentity,
  isSameServer,
  type Queryable,
  toServerIdentity,
  type ServerIdentity,
} from '../database/server-identity.js';

/** A position in the write-ahead log that the primary had reached at a known time. */
interface LogSample {
  /** Time before the query by this process's clock, in milliseconds. */
  readonly at: number;
  /** Number of bytes of the write-ahead log that were flushed to disk. */
  readonly position: bigint;
}

const FLUSHED_POSITION_COLUMN = `(pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS position`;

/** Milliseconds for which positions are remembered. A replica that is further behind has an unknown age. */
const SAMPLES_KEPT_MS = 600_000;

/**
 * Records which position of its write-ahead log the primary had reached at which time. A replica that has replayed a
 * position contains the primary's data of that time. This works without comparing server clocks, and even if nothing is
 * written.
 */
export class PrimaryLog {
  private samples: LogSample[] = [];
  private known: ServerIdentity | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;

  /** @param pauseMs time between queries, by which a replica may appear older @param now milliseconds of real time */
  constructor(
    private readonly primary: Queryable,
    private readonly pauseMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Queries the primary immediately, and then repeatedly until `end`. */
  async begin(): Promise<void> {
    await this.samplePosition();
    this.timer = setInterval(() => void this.samplePosition(), this.pauseMs).unref();
  }

  end(): void {
    clearInterval(this.timer);
  }

  /** Identity of the primary; undefined before its first answer. */
  get primaryIdentity(): ServerIdentity | undefined {
    return this.known;
  }

  /**
   * Returns the maximum age in milliseconds of a replica's data, from the log position it has replayed; Infinity if
   * unknown.
   */
  ageOf(replayed: bigint): number {
    const shown = this.samples.findLast(({ position }) => position <= replayed);
    return shown === undefined ? Infinity : this.now() - shown.at;
  }

  /** Runs only one query at a time, so that queries do not pile up while the primary is unavailable. */
  samplePosition(): Promise<void> {
    this.asking ??= this.querySample()
      .catch(() => undefined)
      .finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async querySample(): Promise<void> {
    const at = this.now();
    const [row] = (await queryWithIdentity(this.primary, FLUSHED_POSITION_COLUMN)).rows;
    const lineage = toServerIdentity(row!);
    // Log positions of different timelines are not comparable.
    if (this.known === undefined || !isSameServer(lineage, this.known)) this.samples = [];
    this.known = lineage;
    this.samples = [
      ...this.samples.filter((sample) => at - sample.at <= SAMPLES_KEPT_MS),
      { at, position: BigInt(String(row!['position'])) },
    ];
  }
}
