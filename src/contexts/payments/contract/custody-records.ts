/** What the ledger has in custody, as of a block: payments, which moves the money, does not know who posts it. */
export abstract class CustodyRecords {
  /**
   * Custody is of now. What was posted from later blocks is undone, and what stands in the chain by then and is not posted
   * is done: of transfers, which put to it, and of payouts, which take off it.
   * @returns by asset id, in smallest units; what has none is left out
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
