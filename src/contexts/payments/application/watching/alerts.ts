import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainFinding } from '../../domain/watching/chain-audits.js';
import type { Transfer } from '../../domain/requests/transfer.js';

/** Conditions that an operator must know of while the service runs. A lasting one may be reported with every turn. */
export abstract class Alerts {
  abstract chainReorganised(network: string, depth: number, ancestor: number): void;
  /** Posted transfers are no longer in the chain: they are reversed, and addresses whose money was not delivered are held from settlement. */
  abstract creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void;
  /** Payouts that were final are no longer in the chain: their settlements have failed. @param transactions hashes */
  abstract finalPayoutsDisappeared(network: string, transactions: readonly string[]): void;
  /** A request could not be judged: it is parked until an operator has it judged again, and all others go on. */
  abstract requestParked(request: PaymentRequestId, reason: string): void;
  /** Nothing becomes final until the endpoints agree. @param disagreement a sentence */
  abstract endpointsDisagree(network: string, disagreement: string): void;
  /** Blocks from this one on could not be read a second time; nothing more becomes final until they are. */
  abstract finalityDelayed(network: string, block: number, reason: string): void;
  /** An endpoint skipped or invented transfers or payouts; the second reading has corrected this. */
  abstract readingsDiffered(network: string, missed: number, invented: number): void;
  /** Internal transfers cannot be found at this block; a later block whose balances are known shows and dates them. */
  abstract balancesUnknown(network: string, block: number, reason: string): void;
  /** An address holds less native coin than all recorded movements give: a payout was not read. */
  abstract balanceBelowExpected(network: string, address: string, missing: bigint): void;
  /** The daily audit found books that are not as the chain is. */
  abstract chainAuditFound(finding: ChainFinding): void;
  /** The state of the audited block cannot be asked for any more: the audit goes over everything anew. */
  abstract chainAuditBeganAnew(network: string, block: number, reason: string): void;
}
