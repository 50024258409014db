import type { ChainProgress } from './incoming-transfer.js';

/** The stored progress of reading a network: every process sees the same. */
export interface NetworkReading {
  readonly network: string;
  /** The newest block that was read. */
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest block that can no longer disappear and was read a second time; null before there is one. */
  readonly finalNumber: number | null;
  readonly finalTime: Date | null;
  /** A sentence on what endpoints disagree about, and since when; both null while they agree. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** Up to then mempools were read whole; null where no transfer is followed before its block. */
  readonly pendingReadAt: Date | null;
  /** How long it may be behind or in disagreement, by its watcher's configuration; null before the first turn. */
  readonly maxLagSeconds: number | null;
  /** Neither lasts longer than that. New requests are refused otherwise, in every process. */
  readonly isWatched: boolean;
}

/** Reads the progress of networks, for readiness and operators. Locks nothing. */
export abstract class ReadingProgress {
  /** One for every network that was ever read. */
  abstract readings(): Promise<NetworkReading[]>;
}

/** Reads the progress by which requests are evaluated. */
export abstract class ReadProgress {
  /** Progress by network. A network that was never read is absent. */
  abstract progress(networks: readonly string[]): Promise<Map<string, ChainProgress>>;
}
