import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { TransactionFilter } from './transaction-filter.js';
import type { EndpointType, Transaction } from '../domain/transaction.js';

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
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export abstract class TransactionQueries {
  /**
   * A scope's transactions, newest first, with their exact number: one statement, whose cost grows with the page and
   * not with its depth; by type and status also with the number of those that are no completed payments, and by
   * reference with the number of its transactions. A page past the end is empty.
   */
  abstract page(
    scope: Scope,
    filter: TransactionFilter,
    request: PageRequest,
  ): Promise<Page<TransactionView>>;
}
