/** Counts that must be zero before an operator removes a network from the configuration. */
export interface NetworkDues {
  readonly network: string;
  /** Payment requests that await payment or finality on the network. */
  readonly openRequests: number;
  /** Addresses excluded from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

/** Reads without locks. */
export abstract class NetworkDuesQuery {
  /** Omits networks with zero counts. */
  abstract dues(): Promise<NetworkDues[]>;
}
