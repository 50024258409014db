/** What the ledger has in custody, as of a block: payments, which moves the money, does not know who posts it. */
export abstract class CustodyRecords {
  /**
   * Custody is of now: what was posted from later blocks is taken off, and what stands in the chain by then and is not
   * posted is put to it.
   * @returns by asset id, in smallest units; what has none is left out
   */
  abstract at(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>>;
}
