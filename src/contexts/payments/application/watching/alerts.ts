import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import type { Transfer } from '../../domain/requests/transfer.js';

/** What an operator must hear of while the service goes on. What lasts may be told again with every turn. */
export abstract class Alerts {
  abstract chainReorganised(network: string, depth: number, ancestor: number): void;
  /** Money that was already posted is gone from the chain: it is reversed, and its address is not to be settled. */
  abstract creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void;
  /** Finality waits until they tell the same. @param disagreement a sentence */
  abstract endpointsDisagree(network: string, disagreement: string): void;
  /** Blocks from this one on could not be read a second time; nothing more becomes final until they are. */
  abstract finalityWaits(network: string, block: number, reason: string): void;
  /** An endpoint skipped or invented transfers; the second reading has put it right. */
  abstract readingsDiffered(network: string, missed: number, invented: number): void;
  /** Native value inside contract calls is not found in these blocks; it will be, and dated, by a later one. */
  abstract balancesUnknown(network: string, block: number, reason: string): void;
  /** The chain holds less native coin at an address than the books: something left it that was not read. */
  abstract balanceBelowBooks(network: string, address: string, missing: bigint): void;
}
