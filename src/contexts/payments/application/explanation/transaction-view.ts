import type { ExplainedTransfer, ReadingShown, Reason, RequestExplanation } from './explanation-view.js';

/** A transfer that was recorded, and the request to whose address it was sent. */
export interface RecordedPayment {
  readonly transfer: ExplainedTransfer;
  readonly of: RequestExplanation;
}

/** A transfer to an address of the caller's that a node shows and that was not recorded. */
export interface UnrecordedPayment {
  /** Where it was sent. */
  readonly network: string;
  /** In the spelling by which transfers are matched; `token` too. */
  readonly to: string;
  readonly token: string;
  /** Present for a catalogued asset. */
  readonly asset?: { readonly uniqueAssetId: string; readonly currency: string; readonly decimals: number };
  /** Smallest units: how many make a whole is known of catalogued assets only. */
  readonly amount: bigint;
  /** The request to which that address was shown, and the networks on which it was. */
  readonly paymentRequestId: string;
  readonly pointOfSaleId: string;
  readonly shownOn: readonly string[];
}

/** The answer of a network's node about the transaction; `no_answer`: none in time. */
export type NodeAnswer =
  | { readonly kind: 'unknown' | 'no_answer' | 'pending' }
  | { readonly kind: 'included' | 'reverted'; readonly blockNumber: number };

export interface AskedNetwork extends ReadingShown {
  /** Absent where no node was asked, since recorded transfers explain the transaction. */
  readonly node?: NodeAnswer;
}

export type TransactionCode =
  | 'received'
  | 'not_ours'
  | 'pending'
  | 'reverted'
  | 'not_read_yet'
  | 'not_recorded'
  | 'token_not_supported'
  | 'other_network'
  | 'to_nobody_here';

/** An explained transaction, as far as it concerns the caller. */
export interface TransactionExplanation extends Reason<TransactionCode> {
  readonly hash: string;
  readonly payments: readonly RecordedPayment[];
  readonly unrecorded: readonly UnrecordedPayment[];
  readonly networks: readonly AskedNetwork[];
}
