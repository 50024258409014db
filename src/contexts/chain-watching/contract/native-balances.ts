import type { PaymentRequestId } from '#shared/kernel/ids.js';

export interface ExpectedBalance {
  readonly address: string;
  readonly paymentRequestId: PaymentRequestId;
  /** Recorded amount received minus the amount paid out, in smallest units. */
  readonly expected: bigint;
}

export interface WatchedBalancesBatch {
  readonly balances: readonly ExpectedBalance[];
  readonly ended: readonly PaymentRequestId[];
  /** The last request of the batch; null if there are no more requests. */
  readonly last: PaymentRequestId | null;
}

export abstract class NativeBalances {
  /**
   * Returns the balances of at most `limit` watched requests whose id follows `after`; null starts at the first
   * request.
   */
  abstract openRequestBalances(
    network: string,
    uniqueAssetId: string,
    after: PaymentRequestId | null,
    limit: number,
  ): Promise<WatchedBalancesBatch>;
  /** Stops watching the balances of these ended requests, in the caller's unit of work. */
  abstract unwatch(network: string, ended: readonly PaymentRequestId[]): Promise<void>;
  /** A sweep begins at the earliest one day after the previous sweep began. */
  abstract nextForDailyComparison(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[] | null>;
  abstract requestedBalances(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[]>;
  /** Records that these addresses were compared, in the caller's unit of work. */
  abstract recordCompared(network: string, addresses: readonly string[]): Promise<void>;
  /** Stops watching at most `limit` ended requests on these networks, whose balances are not compared. */
  abstract unwatchEnded(networks: readonly string[], limit: number): Promise<number>;
  abstract pruneCompared(days: number, limit: number): Promise<number>;
  /** Computes the balances after block `blockNumber` from all recorded movements, in the order of `addresses`. */
  abstract expectedAt(
    network: string,
    uniqueAssetId: string,
    addresses: readonly string[],
    blockNumber: number,
  ): Promise<bigint[]>;
  /**
   * @param address last address compared; null if the sweep is complete
   */
  abstract recordDailyComparison(network: string, address: string | null): Promise<void>;
}

/**
 * Addresses of ended requests are compared once a day, and again before their first settlement, so that the coin is
 * posted before it is paid out.
 */
export abstract class InternalTransferCheck {
  /**
   * Asks the network's watcher to compare these addresses, unless they were compared after `since`.
   * @returns the addresses already compared after `since`; all if the native coin is not in the catalogue
   */
  abstract requestComparison(
    network: string,
    addresses: readonly string[],
    since: Date,
  ): Promise<ReadonlySet<string>>;
}
