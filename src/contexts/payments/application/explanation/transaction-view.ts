import type {
  ExplainedTransfer,
  DisplayedReadProgress,
  ExplanationReason,
  RequestExplanation,
} from './explanation-view.js';

export interface RecordedPayment {
  readonly transfer: ExplainedTransfer;
  readonly of: RequestExplanation;
}

export interface UnrecordedPayment {
  readonly network: string;
  readonly to: string;
  readonly token: string;
  readonly asset?: { readonly uniqueAssetId: string; readonly currency: string; readonly decimals: number };
  /** Smallest units, because decimals are known only for assets in the catalogue. */
  readonly amount: bigint;
  /** `shownOn`: the networks on which the address of the request was displayed. */
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
  readonly shownOn: readonly string[];
}

export type NodeAnswer =
  | { readonly kind: 'unknown' | 'no_answer' | 'pending' }
  | { readonly kind: 'included' | 'reverted'; readonly blockNumber: number };

export interface QueriedNetwork extends DisplayedReadProgress {
  /** Absent if recorded transfers explain the transaction. */
  readonly node?: NodeAnswer;
}

export type TransactionExplanationCode =
  | 'received'
  | 'not_ours'
  | 'pending'
  | 'reverted'
  | 'not_read_yet'
  | 'not_recorded'
  | 'token_not_supported'
  | 'other_network'
  | 'to_nobody_here';

export interface TransactionExplanation extends ExplanationReason<TransactionExplanationCode> {
  readonly hash: string;
  readonly payments: readonly RecordedPayment[];
  readonly unrecorded: readonly UnrecordedPayment[];
  readonly networks: readonly QueriedNetwork[];
}
