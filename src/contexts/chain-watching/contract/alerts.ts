import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Transfer } from './incoming-transfer.js';

export interface ReportedChainAuditFinding {
  readonly kind: string;
  readonly network: string;
  readonly about: string;
  readonly says: string;
}

/** A lasting condition may be reported in every iteration. */
export abstract class Alerts {
  abstract chainReorganized(network: string, depth: number, ancestor: number): void;
  /**
   * Posted transfers are no longer in the chain. They are reversed, and settlement does not pay out their addresses.
   */
  abstract creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void;
  /** Payouts that were final are no longer in the chain, so their settlements have failed. */
  abstract finalPayoutsDisappeared(network: string, transactions: readonly string[]): void;
  /** A payment request could not be evaluated. It is parked until an operator retries it. */
  abstract requestParked(request: PaymentRequestId, reason: string): void;
  /** No block becomes final until the endpoints agree. */
  abstract endpointsDisagree(network: string, disagreement: string): void;
  /** Neither this block nor later ones become final until the confirmation read succeeds. */
  abstract finalityDelayed(network: string, block: number, reason: string): void;
  /** An endpoint skipped or invented transfers or payouts. The confirmation read corrected the difference. */
  abstract confirmationReadDiffered(network: string, missed: number, invented: number): void;
  /** The balances at a block could not be read. Internal transfers in it are found later, with its timestamp. */
  abstract balancesUnknown(network: string, block: number, reason: string): void;
  /** An address holds less native coin than all recorded movements explain. A payout was probably not read. */
  abstract balanceBelowExpected(network: string, address: string, missing: bigint): void;
  abstract chainAuditFound(finding: ReportedChainAuditFinding): void;
  /** No node has the balances at the audited block any longer, so the audit starts again. */
  abstract chainAuditRestarted(network: string, block: number, reason: string): void;
}
