/** A running audit, or the latest completed audit, of the records of a network against its chain. */
export interface AuditResult {
  readonly network: string;
  readonly beganAt: Date;
  /** Null while the audit is running. */
  readonly endedAt: Date | null;
  readonly block: number;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  readonly findings: number;
}

/** Reads the results of chain audits. Takes no locks. */
export abstract class AuditResults {
  /** Returns the running and the latest completed audit of each network. */
  abstract latest(): Promise<AuditResult[]>;
}

/**
 * Reads the ledger custody at a block height. Implemented outside payments, because payments does not depend on the
 * ledger.
 */
export abstract class CustodyRecords {
  /**
   * Computes the custody at a block: starts from the current custody and reverses the postings of later blocks,
   * then adds transfers and subtracts payouts up to the block that are not in the ledger yet.
   * @returns custody in smallest units by asset id; assets without custody are absent
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
