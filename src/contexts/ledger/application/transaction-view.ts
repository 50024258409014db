import type { EndpointType, Transaction, TransactionStatus, TransactionType } from '../domain/transaction.js';
import type { TimeRange } from '#shared/kernel/instant.js';

/** A filter of transactions. An absent field matches all transactions. */
export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  /** The merchant's order id. Matches exactly. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}

type CopiedTransactionField =
  'type' | 'status' | 'grossAmount' | 'netAmount' | 'expectedAmount' | 'decimals' | 'currency';

/** A transaction for readers. Amounts are in smallest units of an asset with `decimals` fraction digits. */
export interface TransactionView extends Pick<Transaction, CopiedTransactionField | 'financialProvider'> {
  readonly id: string;
  readonly network: string | null;
  readonly uniqueAssetId: string | null;
  readonly accountExternalId: string | null;
  /** Address in display form: EIP-55 on EVM networks. */
  readonly from: string;
  readonly fromType: EndpointType;
  readonly to: string;
  readonly toType: EndpointType;
  readonly transactionHash: string | null;
  readonly paymentRequestId: string | null;
  readonly referenceId: string | null;
  /** The settlement that this transaction records, or that delivered its funds. */
  readonly settlementId: string | null;
  /**
   * The month that the transaction belongs to, such as `2030-01`. Set only if that month was already closed at booking.
   */
  readonly bookedFor: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
