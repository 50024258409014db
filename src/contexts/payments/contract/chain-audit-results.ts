/** The running or the latest completed audit of a network's records against its chain. */
export interface ChainAuditResult {
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

export abstract class ChainAuditResults {
  abstract latest(): Promise<ChainAuditResult[]>;
}

/** Implemented outside payments, because payments does not depend on the ledger. */
export abstract class CustodyRecords {
  /**
   * Adds transfers and subtracts payouts up to the block that are not in the ledger yet.
   * @returns custody in smallest units by asset id; assets without custody are absent
   */
  abstract readAtBlock(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
