import type { DepositReason } from '../../contract/payment-request-events.js';
import type { AskedView, PaymentRequestFactsView, TransferView } from '../requests/payment-request-view.js';

/** How far a network was read; of one that was not read yet, or is no longer, only its name. */
export interface ReadingShown {
  readonly network: string;
  readonly read?: {
    readonly toBlock: number;
    readonly toTime: Date;
    readonly final?: { readonly block: number; readonly time: Date };
    /**
     * Since when two endpoints disagree; nothing more becomes final meanwhile. The subject is shown to the operator only:
     * it may name another tenant's transaction.
     */
    readonly disagreesSince?: Date;
  };
  /** The lag by the service's clock, 0 for a block ahead of it. Absent where nothing was read. */
  readonly behindSeconds?: number;
  /** Transfers are followed there before they are in a block. */
  readonly followsPending?: boolean;
  /** Nothing was read, or the newest block read lies further behind than the network may. */
  readonly isBehind: boolean;
}

/** An asset in which a request can be paid. */
export interface OfferedAsset extends AskedView {
  /** The last block timestamp that counts. */
  readonly countsUntil: Date;
}

/** All that decides whether a request is paid, as it was read at one moment. */
export interface RequestToExplain extends Pick<
  PaymentRequestFactsView,
  'id' | 'pointOfSaleId' | 'referenceId' | 'status' | 'fulfilled' | 'createdAt' | 'expiresAt'
> {
  /** Absent where there is none any more. */
  readonly pointOfSaleName?: string;
  readonly accountName?: string;
  readonly confirmedAt?: Date;
  /** The assets that the payer was shown, the one to be paid among them. Empty while a checkout's payer has not chosen. */
  readonly offered: readonly OfferedAsset[];
  readonly asked?: OfferedAsset;
  readonly receivedAmount: bigint;
  readonly transfers: readonly TransferView[];
  /** The networks on which an address was shown. */
  readonly networks: readonly ReadingShown[];
  readonly now: Date;
}

export type TransferExplanationCode =
  'confirming' | 'awaiting_agreement' | 'counted' | 'below_minimum' | DepositReason | 'reversed';

export type RequestCode =
  | Exclude<TransferExplanationCode, 'counted'>
  | 'asset_not_selected'
  | 'unseen'
  | 'network_behind'
  | 'short_by'
  | 'completed'
  | 'overpaid_by'
  | 'underpaid_by'
  | 'expired_unpaid'
  | 'failed';

/** A stable code for programs, and one sentence for people. */
export interface Reason<Code extends string> {
  readonly code: Code;
  readonly summary: string;
}

export type ExplainedTransfer = TransferView & Reason<TransferExplanationCode>;

/** The sentence in fields; those that do not apply are absent. Amounts are in smallest units of the asset asked for. */
export interface Facts {
  readonly asked?: OfferedAsset;
  readonly receivedAmount: bigint;
  readonly missingAmount?: bigint;
  readonly excessAmount?: bigint;
  /** The fewest among the transfers that count and are not final. */
  readonly confirmations?: number;
  readonly requiredConfirmations?: number;
  readonly expiresAt: Date;
}

export interface RequestExplanation extends Reason<RequestCode> {
  readonly request: RequestToExplain;
  readonly facts: Facts;
  readonly transfers: readonly ExplainedTransfer[];
}
