/** The ledger's custody at the height of a block. Payments, which moves the money, does not know who posts it. */
export abstract class CustodyRecords {
  /**
   * Starts from the custody of now. Postings of later blocks are taken back, and transfers and payouts that the chain has up
   * to the block but the ledger has not are added and taken off.
   * @returns by asset id, in smallest units; what has none is left out
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
