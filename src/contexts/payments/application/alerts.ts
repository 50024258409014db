import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { Transfer } from '../domain/transfer.js';

/** What an operator must hear of while the service goes on. */
export abstract class Alerts {
  abstract chainReorganised(network: string, depth: number, ancestor: number): void;
  /** Money that was already posted is gone from the chain: the ledger and the chain disagree until it is reversed. */
  abstract creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void;
}
