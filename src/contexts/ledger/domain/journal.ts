import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { Transaction } from './transaction.js';

/** The books. Nothing that was written is ever changed. */
export abstract class Journal {
  /** Of these payment requests, those whose `payment_in` is written already. */
  abstract postedAmong(paymentRequests: readonly PaymentRequestId[]): Promise<ReadonlySet<PaymentRequestId>>;

  /**
   * Writes all of them, whatever their number, in a constant number of statements: entries, balances, then the
   * numbers of organizations and of accounts, each in the order of their ids, then the records. Their order is the
   * order of their numbers. `created_at` never runs backward within an organization, even if the clock does.
   * Locks the balances and scopes it touches until the unit of work ends.
   * @throws outside a unit of work; a unique violation when a payment request was posted by somebody else meanwhile
   */
  abstract write(transactions: readonly Transaction[]): Promise<void>;
}
