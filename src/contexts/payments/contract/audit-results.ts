/** The latest completed or running audit of a network's records against its chain. */
export interface AuditResult {
  readonly network: string;
  readonly beganAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly block: number;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  readonly findings: number;
}

/** Reads take no locks. */
export abstract class AuditResults {
  /** Returns at most two results for each network. */
  abstract latest(): Promise<AuditResult[]>;
}

/** Ledger custody at a block height. Implemented outside payments, which does not depend on the ledger. */
export abstract class CustodyRecords {
  /**
   * Starts from the current custody and reverses the postings of later blocks. Adds transfers, and subtracts payouts, that are on
   * the chain up to the block but not yet in the ledger.
   * @returns smallest units by asset id; omits assets without custody
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
