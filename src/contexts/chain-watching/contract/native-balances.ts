import type { PaymentRequestId } from '#shared/kernel/ids.js';

export interface ExpectedBalance {
  readonly address: string;
  readonly paymentRequestId: PaymentRequestId;
  /** Smallest units: received minus paid out. */
  readonly expected: bigint;
}

/** A batch of requests that were payable in a native coin, in the order of their ids. */
export interface WatchedBalances {
  readonly balances: readonly ExpectedBalance[];
  readonly ended: readonly PaymentRequestId[];
  /** The last request of the batch; null if none follows. */
  readonly last: PaymentRequestId | null;
}

/** Native balances to compare with the chain, in order to find internal transfers. */
export abstract class NativeBalances {
  /**
   * At most `limit` watched requests after `after`; null starts at the first one. The cost depends on `limit`, not on the
   * number of open requests.
   */
  abstract ofOpen(
    network: string,
    uniqueAssetId: string,
    after: PaymentRequestId | null,
    limit: number,
  ): Promise<WatchedBalances>;
  /** Stops watching the balances of these ended requests, in the caller's unit of work. */
  abstract unwatch(network: string, ended: readonly PaymentRequestId[]): Promise<void>;
  /**
   * The next addresses of the balance sweep over all addresses ever used on the network. A sweep begins a day after the previous
   * sweep began, at the earliest.
   * @returns null while the next sweep is not due
   */
  abstract nextOfSweep(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[] | null>;
  /** Addresses requested through `InternalTransferLook`, the oldest request first. */
  abstract requested(network: string, uniqueAssetId: string, limit: number): Promise<ExpectedBalance[]>;
  /** Records that these addresses were compared, in the caller's unit of work. */
  abstract compared(network: string, addresses: readonly string[]): Promise<void>;
  /** Stops watching at most `limit` ended requests, on networks whose balances are not compared. @returns their number */
  abstract unwatchEnded(networks: readonly string[], limit: number): Promise<number>;
  /**
   * Removes at most `limit` addresses that were compared more than `days` ago and not requested again. A later request adds
   * the address again. @returns their number
   */
  abstract pruneCompared(days: number, limit: number): Promise<number>;
  /** Balances right after that block, by all recorded movements, in the order of `addresses`. */
  abstract expectedAt(
    network: string,
    uniqueAssetId: string,
    addresses: readonly string[],
    blockNumber: number,
  ): Promise<bigint[]>;
  /** Records the progress of the sweep, in the caller's unit of work. @param address null if the sweep is complete */
  abstract sweptTo(network: string, address: string | null): Promise<void>;
}

/**
 * Finds native coin received inside a contract call, by comparing balances. Addresses whose request has ended are compared
 * once a day, and once more before their first settlement, so that the coin is posted before it is delivered.
 */
export abstract class InternalTransferLook {
  /**
   * Requests that the network's watcher compare the native balances of these addresses in its next iterations, unless it has
   * done so since `since`. Does not wait for the comparison.
   * @returns the addresses compared since then; all addresses if the network's native coin is not in the catalogue
   */
  abstract comparedSince(
    network: string,
    addresses: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>>;
}
