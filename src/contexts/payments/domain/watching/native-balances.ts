import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';

/** An address of ours and what its native balance must be by everything recorded so far. */
export interface ExpectedBalance {
  readonly address: string;
  readonly paymentRequestId: PaymentRequestId;
  /** Smallest units: what arrived less what was paid out. */
  readonly expected: bigint;
}

/** Which native balances are to be compared with the chain, to find value that arrived inside contract calls. */
export abstract class NativeBalances {
  /** Of open requests for which this native coin was asked, in the order of addresses, behind `after`. */
  abstract ofOpen(
    network: string,
    uniqueAssetId: string,
    after: string,
    limit: number,
  ): Promise<ExpectedBalance[]>;
  /**
   * The next addresses of the round over all that were ever shown on the network. A round begins a day after the one
   * before it began, at the earliest.
   * @returns null while the next round is not due
   */
  abstract nextOfSweep(
    network: string,
    uniqueAssetId: string,
    limit: number,
  ): Promise<ExpectedBalance[] | null>;
  /** What these balances must be right after that block by what was recorded up to it, in the order of `addresses`. */
  abstract expectedAt(
    network: string,
    uniqueAssetId: string,
    addresses: readonly string[],
    blockNumber: number,
  ): Promise<bigint[]>;
  /** Goes on with the round behind `address` (null: it is done), in the caller's unit of work. */
  abstract sweptTo(network: string, address: string | null): Promise<void>;
}
