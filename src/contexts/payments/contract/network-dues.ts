/** Counts that must be zero before an operator removes a network from the configuration. */
export interface NetworkDues {
  readonly network: string;
  /** Number of payment requests that await payment or finality on the network. */
  readonly openRequests: number;
  /** Number of addresses excluded from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

/** Reads the open obligations of networks. Takes no locks. */
export abstract class NetworkDuesQuery {
  /** Returns the counts by network. Networks without open obligations are absent. */
  abstract dues(): Promise<NetworkDues[]>;
}
