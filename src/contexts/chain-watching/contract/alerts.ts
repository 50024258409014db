import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Transfer } from './incoming-transfer.js';

/** A difference between the books and the chain. */
export interface AuditFinding {
  readonly kind: string;
  readonly network: string;
  readonly about: string;
  readonly says: string;
}

/** Conditions that an operator must know about. A condition that lasts may be reported in every iteration. */
export abstract class Alerts {
  abstract chainReorganised(network: string, depth: number, ancestor: number): void;
  /** Posted transfers are no longer in the chain. They are reversed, and settlement does not pay out their addresses. */
  abstract creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void;
  /** Payouts that were final are no longer in the chain: their settlements have failed. @param transactions hashes */
  abstract finalPayoutsDisappeared(network: string, transactions: readonly string[]): void;
  /** A request could not be evaluated. It is parked until an operator retries it; all other requests continue. */
  abstract requestParked(request: PaymentRequestId, reason: string): void;
  /** Nothing becomes final until the endpoints agree. @param disagreement a sentence */
  abstract endpointsDisagree(network: string, disagreement: string): void;
  /** Blocks from this one on have no confirmation read. No further block becomes final until they have one. */
  abstract finalityDelayed(network: string, block: number, reason: string): void;
  /** An endpoint skipped or invented transfers or payouts; the confirmation read corrected it. */
  abstract readingsDiffered(network: string, missed: number, invented: number): void;
  /** Internal transfers cannot be found at this block. They are found at a later block whose balances are known, and get its time. */
  abstract balancesUnknown(network: string, block: number, reason: string): void;
  /** An address holds less native coin than all recorded movements give: a payout was not read. */
  abstract balanceBelowExpected(network: string, address: string, missing: bigint): void;
  /** The daily audit found a difference between the books and the chain. */
  abstract chainAuditFound(finding: AuditFinding): void;
  /** No node has the state of the audited block any longer: the audit starts again. */
  abstract chainAuditBeganAnew(network: string, block: number, reason: string): void;
}
