/** Counts that must be zero before an operator removes a network from the configuration. */
export interface NetworkDues {
  readonly network: string;
  /** Payment requests that wait for payment or for finality there. */
  readonly openRequests: number;
  /** Addresses that are held from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

/** Locks nothing. */
export abstract class NetworkDuesQuery {
  /** One for every network that has any. */
  abstract dues(): Promise<NetworkDues[]>;
}
