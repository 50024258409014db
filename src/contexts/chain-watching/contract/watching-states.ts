export interface NetworkWatchingState {
  readonly network: string;
  readonly headNumber: number;
  /** Null before the first block is final. */
  readonly finalNumber: number | null;
  /** Age of the newest block read, in seconds, by the clock of the service. */
  readonly secondsBehind: number;
  /** Null while the endpoints agree. */
  readonly secondsInDisagreement: number | null;
  /** Null if the network does not follow pending transfers. */
  readonly secondsSincePending: number | null;
  /** Null before the first iteration. */
  readonly maxLagSeconds: number | null;
  /** True if neither lag nor disagreement exceeds `maxLagSeconds`. */
  readonly isWatched: boolean;
}

export interface WatchingState {
  /** Age of the last iteration of any worker, in seconds. */
  readonly secondsSinceTurn: number | null;
  readonly networks: readonly NetworkWatchingState[];
}

/**
 * Reads the state of chain watching for readiness and metrics, with one short statement whose result is cached
 * briefly.
 */
export abstract class WatchingStates {
  /**
   * @throws Error if the database does not answer in time
   */
  abstract currentState(maxAgeMs: number): Promise<WatchingState>;
}
