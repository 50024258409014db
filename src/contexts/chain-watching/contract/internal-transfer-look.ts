/**
 * Native coin that arrived inside a contract call is found by comparing balances, once a day for addresses whose request has
 * ended. Before an address is settled for the first time it is looked for once more, so that it is booked before it is
 * delivered.
 */
export abstract class InternalTransferLook {
  /**
   * Asks the network's watcher to compare the native balances of these addresses in its next turns, unless it has done so
   * since `since`. Answers at once.
   * @returns those of them that were compared since then; all of them where the network's native coin is not catalogued
   */
  abstract comparedSince(
    network: string,
    addresses: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>>;
}
