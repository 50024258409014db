/** Counts that must be zero before an operator removes a network from the configuration. */
export interface NetworkDues {
  readonly network: string;
  readonly openRequests: number;
  /** Excluded from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

export abstract class NetworkDuesQuery {
  /** Networks without open obligations are absent. */
  abstract dues(): Promise<NetworkDues[]>;
}
