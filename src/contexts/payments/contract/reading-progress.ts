/** How far payments have followed a network, as it is stored: every process sees the same. */
export interface NetworkReading {
  readonly network: string;
  /** The newest block that was read. */
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest block that can no longer disappear and was read a second time; null before there is one. */
  readonly finalNumber: number | null;
  readonly finalTime: Date | null;
  /** What another endpoint tells otherwise, in a sentence, and since when; both null while all tell the same. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** How long it may lie behind or be in disagreement, as its watcher was configured; null: told by none yet. */
  readonly maxLagSeconds: number | null;
  /** Neither for longer than that. New requests are refused where it is not so, whatever this process thinks of it. */
  readonly isWatched: boolean;
}

/** What is not yet done with on a network, by count: to be waited for, or looked at, before it is taken out. */
export interface NetworkDues {
  readonly network: string;
  /** Payment requests that wait for money or for its finality there. */
  readonly openRequests: number;
  /** Addresses that are not to be settled until an operator has looked. */
  readonly heldAddresses: number;
}

/** For whoever shows how a network stands. Locks nothing. */
export abstract class ReadingProgress {
  /** Of every network that was ever read. */
  abstract readings(): Promise<NetworkReading[]>;
  /** Of every network that has any. */
  abstract dues(): Promise<NetworkDues[]>;
}
