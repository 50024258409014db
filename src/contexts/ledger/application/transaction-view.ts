import type { EndpointType, Transaction, TransactionStatus, TransactionType } from '../domain/transaction.js';
import type { TimeRange } from '#shared/kernel/instant.js';

/** A filter of transactions; an absent field does not narrow. */
export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  /** The merchant's own order id, whole. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}

type Kept = 'type' | 'status' | 'grossAmount' | 'netAmount' | 'expectedAmount' | 'decimals' | 'currency';

/** A transaction as readers see it. Amounts in smallest units of an asset with `decimals` fraction digits. */
export interface TransactionView extends Pick<Transaction, Kept | 'financialProvider'> {
  readonly id: string;
  readonly network: string | null;
  readonly uniqueAssetId: string | null;
  readonly accountExternalId: string | null;
  /** Addresses as people know them: EIP-55 on EVM networks. */
  readonly from: string;
  readonly fromType: EndpointType;
  readonly to: string;
  readonly toType: EndpointType;
  readonly transactionHash: string | null;
  readonly paymentRequestId: string | null;
  readonly referenceId: string | null;
  /** The settlement that it is the record of, or that has delivered what it books. */
  readonly settlementId: string | null;
  /** The month that it belongs to, as `2030-01`, where that was closed when it was booked. */
  readonly bookedFor: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
