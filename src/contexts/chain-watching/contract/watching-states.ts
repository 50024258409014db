export interface NetworkState {
  readonly network: string;
  readonly headNumber: number;
  /** Null before the first block is final. */
  readonly finalNumber: number | null;
  /** The age of the newest block read, measured by the service's clock. */
  readonly secondsBehind: number;
  /** Duration of the current disagreement between endpoints. Null while they agree. */
  readonly secondsInDisagreement: number | null;
  /** Age of the last complete mempool read. Null if the network does not follow pending transfers. */
  readonly secondsSincePending: number | null;
  /** Allowed lag or disagreement before new requests are rejected. Null before the first iteration. */
  readonly maxLagSeconds: number | null;
  /** True if neither lag nor disagreement exceeds `maxLagSeconds`. */
  readonly isWatched: boolean;
}

export interface WatchingState {
  /** Age of the last iteration of any worker. Null if this process has seen none since it started. */
  readonly secondsSinceTurn: number | null;
  /** Every network that was ever read, ordered by name. */
  readonly networks: readonly NetworkState[];
}

/** Reads the state for readiness and metrics, with one short statement whose result is cached briefly. */
export abstract class WatchingStates {
  /** @param maxAgeMs maximum age of a cached result @throws if the database does not answer in time */
  abstract now(maxAgeMs: number): Promise<WatchingState>;
}
