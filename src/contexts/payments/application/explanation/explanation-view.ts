import type { DepositReason } from '../../contract/payment-request-events.js';
import type {
  PaymentDueView,
  PaymentRequestProgressView,
  TransferView,
} from '../requests/payment-request-view.js';

/** Contains only the name if the network was never read or is no longer read. */
export interface DisplayedReadProgress {
  readonly network: string;
  readonly read?: {
    readonly toBlock: number;
    readonly toTime: Date;
    readonly final?: { readonly block: number; readonly time: Date };
    /** Only the operator sees the reason, because it may name a transaction of another tenant. */
    readonly disagreesSince?: Date;
  };
  /** Age by the clock of the service; 0 for a future timestamp. Absent if no block was read. */
  readonly behindSeconds?: number;
  readonly followsPending?: boolean;
  readonly isBehind: boolean;
}

export interface OfferedAsset extends PaymentDueView {
  /** Last block timestamp with which a transfer counts. */
  readonly countsUntil: Date;
}

/** Read as one consistent snapshot. */
export interface RequestToExplain extends Pick<
  PaymentRequestProgressView,
  | ('id' | 'pointOfSaleId' | 'referenceId' | 'status' | 'fulfilled' | 'createdAt' | 'expiresAt')
  | ('confirmedAt' | 'receivedAmount' | 'transfers')
> {
  readonly pointOfSaleName?: string;
  readonly accountName?: string;
  /** All assets ever selected for the request, including the current one (`asked`). */
  readonly offered: readonly OfferedAsset[];
  readonly asked?: OfferedAsset;
  readonly networks: readonly DisplayedReadProgress[];
  readonly now: Date;
}

export type TransferExplanationCode =
  'confirming' | 'awaiting_agreement' | 'counted' | 'below_minimum' | DepositReason | 'reversed';

export type RequestExplanationCode =
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

export interface ExplanationReason<Code extends string> {
  readonly code: Code;
  readonly summary: string;
}

export type ExplainedTransfer = TransferView & ExplanationReason<TransferExplanationCode>;

/** The values in the explanation. Amounts are smallest units of the asset in `asked`. */
export interface ExplanationFacts {
  readonly asked?: OfferedAsset;
  readonly receivedAmount: bigint;
  readonly missingAmount?: bigint;
  readonly excessAmount?: bigint;
  /** Lowest number among the counted transfers that are not final. */
  readonly confirmations?: number;
  readonly requiredConfirmations?: number;
  readonly expiresAt: Date;
}

export interface RequestExplanation extends ExplanationReason<RequestExplanationCode> {
  readonly request: RequestToExplain;
  readonly facts: ExplanationFacts;
  readonly transfers: readonly ExplainedTransfer[];
}
