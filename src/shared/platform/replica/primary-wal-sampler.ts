import {
  queryWithServerIdentity,
  isSameServer,
  type Queryable,
  toServerIdentity,
  type ServerIdentity,
} from '../database/server-identity.js';

interface LogSample {
  readonly at: number;
  /** Number of bytes of the write-ahead log that were flushed to disk. */
  readonly position: bigint;
}

const FLUSHED_POSITION_COLUMN = `(pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS position`;

/** Milliseconds for which positions are remembered. */
const SAMPLES_KEPT_MS = 600_000;

/**
 * A replica that has replayed a position contains the primary's data of that time. This needs no comparison of server
 * clocks.
 */
export class PrimaryWalSampler {
  private samples: LogSample[] = [];
  private known: ServerIdentity | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;

  /** @param pauseMs time between queries, by which a replica may appear older */
  constructor(
    private readonly primary: Queryable,
    private readonly pauseMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async begin(): Promise<void> {
    await this.samplePosition();
    this.timer = setInterval(() => void this.samplePosition(), this.pauseMs).unref();
  }

  end(): void {
    clearInterval(this.timer);
  }

  get primaryIdentity(): ServerIdentity | undefined {
    return this.known;
  }

  /** Maximum age in milliseconds from the replayed log position; Infinity if unknown. */
  ageOf(replayed: bigint): number {
    const shown = this.samples.findLast(({ position }) => position <= replayed);
    return shown === undefined ? Infinity : this.now() - shown.at;
  }

  samplePosition(): Promise<void> {
    this.asking ??= this.querySample()
      .catch(() => undefined)
      .finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async querySample(): Promise<void> {
    const at = this.now();
    const [row] = (await queryWithServerIdentity(this.primary, FLUSHED_POSITION_COLUMN)).rows;
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
