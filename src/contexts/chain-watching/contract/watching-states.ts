/** The reading state of a network: every process sees the same. */
export interface NetworkState {
  readonly network: string;
  /** The newest block that was read. */
  readonly headNumber: number;
  /** Null before there is one. */
  readonly finalNumber: number | null;
  /** The age of the newest block that was read, by the service's clock. */
  readonly secondsBehind: number;
  /** The time for which endpoints have disagreed; null while they agree. */
  readonly secondsInDisagreement: number | null;
  /** How long ago mempools were last read whole; null where no transfer is followed before its block. */
  readonly secondsSincePending: number | null;
  /** The maximum of lag or disagreement before new requests are refused; null before the first turn. */
  readonly maxLagSeconds: number | null;
  /** Neither lasts longer than that. */
  readonly isWatched: boolean;
}

export interface WatchingState {
  /** How long ago some worker last took a turn, of whatever kind; null where none was seen since this process started. */
  readonly secondsSinceTurn: number | null;
  /** One for every network that was ever read, in the order of names. */
  readonly networks: readonly NetworkState[];
}

/** Readiness and metrics read it: one short statement, whose answer is kept for a moment. */
export abstract class WatchingStates {
  /** @param maxAgeMs how old a kept answer may be @throws where the database does not answer in time */
  abstract now(maxAgeMs: number): Promise<WatchingState>;
}
