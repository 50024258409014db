import {
  askServer,
  isSameServer,
  type Queryable,
  serverOf,
  type ServerIdentity,
} from '../database/server-identity.js';

/** A position that the primary had reached, at the latest, when it was asked. */
interface Sample {
  /** Milliseconds of this process's own clock, from before the question. */
  readonly at: number;
  /** Bytes of the log that were flushed. */
  readonly position: bigint;
}

const POSITION = `(pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text AS position`;

/** How old a replica may be and its age still be known, in milliseconds. */
const KNOWN_FOR_MS = 600_000;

/**
 * The positions that the primary's log had at known times. A replica that has replayed one shows what the primary showed at
 * that time, whatever the clocks of both servers say, and also while nothing is written.
 */
export class PrimaryLog {
  private samples: Sample[] = [];
  private known: ServerIdentity | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;

  /** @param pauseMs between two questions; a replica seems older by up to that @param now milliseconds of real time */
  constructor(
    private readonly primary: Queryable,
    private readonly pauseMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Asks now, and again and again until `end`. */
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

  /** How old what a server shows that has replayed so far may be, in milliseconds; Infinity where that is not known. */
  ageOf(replayed: bigint): number {
    const shown = this.samples.findLast(({ position }) => position <= replayed);
    return shown === undefined ? Infinity : this.now() - shown.at;
  }

  /** One question at a time: a primary that is away has no queue of them. A failure leaves what is known to grow old. */
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
    // A position of another timeline says nothing of this one.
    if (this.known === undefined || !isSameServer(lineage, this.known)) this.samples = [];
    this.known = lineage;
    this.samples = [
      ...this.samples.filter((sample) => at - sample.at <= KNOWN_FOR_MS),
      { at, position: BigInt(String(row!['position'])) },
    ];
  }
}
