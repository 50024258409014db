/** Counts that must be zero before an operator removes a network from the configuration. */
export interface NetworkRemovalBlockers {
  readonly network: string;
  readonly openRequests: number;
  /** Excluded from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

export abstract class NetworkRemovalBlockersQuery {
  /** Networks without open obligations are absent. */
  abstract readByNetwork(): Promise<NetworkRemovalBlockers[]>;
}
