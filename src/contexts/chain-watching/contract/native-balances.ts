import type { PaymentRequestId } from '#shared/kernel/ids.js';

/** A deposit address and its native balance by all recorded movements. */
export interface ExpectedBalance {
  readonly address: string;
  readonly paymentRequestId: PaymentRequestId;
  /** Smallest units: what arrived less what was paid out. */
  readonly expected: bigint;
}

/** Some of the requests that were payable in a native coin, in the order of their ids. */
export interface WatchedBalances {
  /** Addresses of those that are open. */
  readonly balances: readonly ExpectedBalance[];
  /** Requests among them that have ended. */
  readonly ended: readonly PaymentRequestId[];
  /** The last of them; null where none is behind it. */
  readonly last: PaymentRequestId | null;
}

/** Native balances to compare with the chain, in order to find internal transfers. */
export abstract class NativeBalances {
  /**
   * At most `limit` watched requests behind `after`, from the first one on where it is null. The cost depends on `limit`, not on
   * how many are open.
   */
  abstract ofOpen(
    network: string,
    uniqueAssetId: string,
    after: PaymentRequestId | null,
    limit: number,
  ): Promise<WatchedBalances>;
  /** Watches the balances of these requests, which have ended, no longer, in the caller's unit of work. */
  abstract unwatch(network: string, ended: readonly PaymentRequestId[]): Promise<void>;
  /**
   * The next addresses of the balance sweep over all addresses ever shown on the network. A sweep begins a day after the
   * previous one began, at the earliest.
   * @returns null while the next sweep is not due
   */
  abstract nextOfSweep(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[] | null>;
  /** Addresses that somebody asked to have compared (`contract/internal-transfer-look.ts`), the longest waiting first. */
  abstract askedFor(network: string, uniqueAssetId: string, limit: number): Promise<ExpectedBalance[]>;
  /** Records that these addresses were compared, in the caller's unit of work. */
  abstract compared(network: string, addresses: readonly string[]): Promise<void>;
  /**
   * Watches at most `limit` requests no longer that have ended, on networks whose balances nobody compares. @returns how many
   */
  abstract unwatchEnded(networks: readonly string[], limit: number): Promise<number>;
  /**
   * Removes at most `limit` addresses that were compared more than `days` ago and not asked for again; who needs one compared
   * asks anew. @returns how many
   */
  abstract pruneCompared(days: number, limit: number): Promise<number>;
  /** These balances right after that block by all movements recorded up to it, in the order of `addresses`. */
  abstract expectedAt(
    network: string,
    uniqueAssetId: string,
    addresses: readonly string[],
    blockNumber: number,
  ): Promise<bigint[]>;
  /** Records how far the sweep came (null: it is complete), in the caller's unit of work. */
  abstract sweptTo(network: string, address: string | null): Promise<void>;
}
