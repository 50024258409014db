/** An audit of a network's records against its chain: the last one that ended, or the one that is running. */
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

/** Results of the workers' audits. Reading them locks nothing. */
export abstract class AuditResults {
  /** At most two for each network. */
  abstract latest(): Promise<AuditResult[]>;
}

/** The ledger's custody at the height of a block. Implemented outside payments, which does not know the ledger. */
export abstract class CustodyRecords {
  /**
   * Starts from the present custody and reverses the postings of later blocks. Adds transfers, and subtracts payouts, that are
   * on the chain up to the block but not yet in the ledger.
   * @returns smallest units by asset id, without assets that have no custody
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
