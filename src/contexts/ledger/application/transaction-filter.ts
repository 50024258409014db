import type { TimeRange } from '#shared/kernel/time-range.js';
import type { TransactionStatus, TransactionType } from '../domain/transaction.js';

/** Which transactions are wanted; what is left out does not narrow. */
export interface TransactionFilter {
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  /** The merchant's own order id, whole. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}
