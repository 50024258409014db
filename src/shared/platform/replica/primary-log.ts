import {
  askServer,
  isSameServer,
  type Queryable,
  serverOf,
  type ServerIdentity,
} from '../database/server-identity.js';

/** A log position that the primary had reached when it answered. */
interface Sample {
  /** Milliseconds of this process's clock, before the query. */
  readonly at: number;
  /** Flushed bytes of the log. */
  readonly position: bigint;
}

const POSITION = `(pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS position`;

/** Maximum measurable age of a replica, in milliseconds. */
const KNOWN_FOR_MS = 600_000;

/**
 * Records the primary's log positions over time. A replica that has replayed a position has the primary's state of that
 * time, independent of server clocks and even without writes.
 */
export class PrimaryLog {
  private samples: Sample[] = [];
  private known: ServerIdentity | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;

  /** @param pauseMs between queries; a replica may seem older by this @param now milliseconds of real time */
  constructor(
    private readonly primary: Queryable,
    private readonly pauseMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Queries immediately, and then repeatedly until `end`. */
  async begin(): Promise<void> {
    await this.ask();
    this.timer = setInterval(() => void this.ask(), this.pauseMs).unref();
  }

  end(): void {
    clearInterval(this.timer);
  }

  /** Undefined before the first answer. */
  get lineage(): ServerIdentity | undefined {
    return this.known;
  }

  /** Returns the maximum age of a replica's data by its replayed position, in milliseconds; Infinity if unknown. */
  ageOf(replayed: bigint): number {
    const shown = this.samples.findLast(({ position }) => position <= replayed);
    return shown === undefined ? Infinity : this.now() - shown.at;
  }

  /** Runs one query at a time, so that none queue up while the primary is unavailable. After a failure, the samples age. */
  ask(): Promise<void> {
    this.asking ??= this.askOnce()
      .catch(() => undefined)
      .finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async askOnce(): Promise<void> {
    const at = this.now();
    const [row] = (await askServer(this.primary, POSITION)).rows;
    const lineage = serverOf(row!);
    // Positions of different timelines are not comparable.
    if (this.known === undefined || !isSameServer(lineage, this.known)) this.samples = [];
    this.known = lineage;
    this.samples = [
      ...this.samples.filter((sample) => at - sample.at <= KNOWN_FOR_MS),
      { at, position: BigInt(String(row!['position'])) },
    ];
  }
}
