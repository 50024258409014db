import type {
  TransactionPartyType,
  Transaction,
  TransactionStatus,
  TransactionType,
} from '../domain/transaction.js';
import type { TimeRange } from '#shared/kernel/instant.js';

export interface TransactionFilter {
  readonly id?: string;
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  readonly referenceId?: string;
  readonly created: TimeRange;
}

type CopiedTransactionField =
  'type' | 'status' | 'grossAmount' | 'netAmount' | 'expectedAmount' | 'decimals' | 'currency';

/** Amounts are in smallest units of an asset with `decimals` fraction digits. */
export interface TransactionView extends Pick<Transaction, CopiedTransactionField | 'financialProvider'> {
  readonly id: string;
  readonly network: string | null;
  readonly uniqueAssetId: string | null;
  readonly accountExternalId: string | null;
  readonly from: string;
  readonly fromType: TransactionPartyType;
  readonly to: string;
  readonly toType: TransactionPartyType;
  readonly transactionHash: string | null;
  readonly paymentRequestId: string | null;
  readonly referenceId: string | null;
  /** The settlement that this transaction records, or that delivered its funds. */
  readonly settlementId: string | null;
  /** Set only if the month of the transaction, such as `2030-01`, was already closed at booking. */
  readonly bookedFor: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
