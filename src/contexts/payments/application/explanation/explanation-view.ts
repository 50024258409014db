import type { DepositReason } from '../../contract/payment-request-events.js';
import type {
  AskedView,
  PaymentRequestProgressView,
  TransferView,
} from '../requests/payment-request-view.js';

/** Read position of a network. Has only the name if the network was not read yet, or is no longer read. */
export interface ReadingShown {
  readonly network: string;
  readonly read?: {
    readonly toBlock: number;
    readonly toTime: Date;
    readonly final?: { readonly block: number; readonly time: Date };
    /**
     * Start of a disagreement between two endpoints. No block becomes final until it is resolved. Only the operator sees its
     * subject, which may name another tenant's transaction.
     */
    readonly disagreesSince?: Date;
  };
  /** Lag by the service's clock; 0 for a block with a future timestamp. Absent if no block was read. */
  readonly behindSeconds?: number;
  /** The service follows transfers on this network before they are in a block. */
  readonly followsPending?: boolean;
  /** No block was read, or the lag exceeds the network's limit. */
  readonly isBehind: boolean;
}

export interface OfferedAsset extends AskedView {
  /** Last block timestamp that counts. */
  readonly countsUntil: Date;
}

/** Consistent snapshot. */
export interface RequestToExplain extends Pick<
  PaymentRequestProgressView,
  | ('id' | 'pointOfSaleId' | 'referenceId' | 'status' | 'fulfilled' | 'createdAt' | 'expiresAt')
  | ('confirmedAt' | 'receivedAmount' | 'transfers')
> {
  /** Absent if the point of sale no longer exists. */
  readonly pointOfSaleName?: string;
  readonly accountName?: string;
  /** Assets offered to the payer, including `asked`. Empty until the payer of a checkout selects one. */
  readonly offered: readonly OfferedAsset[];
  readonly asked?: OfferedAsset;
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

export interface Reason<Code extends string> {
  readonly code: Code;
  readonly summary: string;
}

export type ExplainedTransfer = TransferView & Reason<TransferExplanationCode>;

/** Facts of the sentence as fields; absent if not applicable. Amounts are smallest units of `asked`. */
export interface Facts {
  readonly asked?: OfferedAsset;
  readonly receivedAmount: bigint;
  readonly missingAmount?: bigint;
  readonly excessAmount?: bigint;
  /** Lowest number of confirmations among the counted transfers that are not final. */
  readonly confirmations?: number;
  readonly requiredConfirmations?: number;
  readonly expiresAt: Date;
}

export interface RequestExplanation extends Reason<RequestCode> {
  readonly request: RequestToExplain;
  readonly facts: Facts;
  readonly transfers: readonly ExplainedTransfer[];
}
