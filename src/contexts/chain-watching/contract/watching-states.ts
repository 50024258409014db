export interface NetworkState {
  readonly network: string;
  readonly headNumber: number;
  /** Null before the first block is final. */
  readonly finalNumber: number | null;
  /** Age of the newest block read, in seconds, by the clock of the service. */
  readonly secondsBehind: number;
  /** Duration of the current disagreement between endpoints, in seconds. Null while they agree. */
  readonly secondsInDisagreement: number | null;
  /** Age of the last complete mempool read, in seconds. Null if the network does not follow pending transfers. */
  readonly secondsSincePending: number | null;
  /**
   * Maximum lag and maximum duration of a disagreement before new requests are rejected. Null before the first
   * iteration.
   */
  readonly maxLagSeconds: number | null;
  /** True if neither lag nor disagreement exceeds `maxLagSeconds`. */
  readonly isWatched: boolean;
}

export interface WatchingState {
  /**
   * Age of the last iteration of any worker, in seconds. Null if no iteration was observed since this process
   * started.
   */
  readonly secondsSinceTurn: number | null;
  /** All networks that were ever read, ordered by name. */
  readonly networks: readonly NetworkState[];
}

/**
 * Reads the state of chain watching for readiness and metrics, with one short statement whose result is cached
 * briefly.
 */
export abstract class WatchingStates {
  /**
   * @param maxAgeMs maximum age of a cached result
   * @throws Error if the database does not answer in time
   */
  abstract currentState(maxAgeMs: number): Promise<WatchingState>;
}
