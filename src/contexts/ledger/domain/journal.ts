import type { Movement, Occasion } from './movement.js';
import type { Transaction } from './transaction.js';

/** The books. Nothing that was written is ever changed. */
export abstract class Journal {
  /** The occasions of those of these movements whose transaction is written already. One statement. */
  abstract postedAmong(movements: readonly Movement[]): Promise<ReadonlySet<Occasion>>;

  /**
   * Writes all of them, whatever their number and mix, in a constant number of statements: entries, balances, then the
   * numbers of organizations and of accounts, each in the order of their ids, then the records. Their order is the
   * order of their numbers. `created_at` never runs backward within an organization, even if the clock does.
   * Locks the balances and scopes it touches until the unit of work ends.
   * @throws outside a unit of work; a unique violation when somebody else has posted the same occasion meanwhile
   */
  abstract write(transactions: readonly Transaction[]): Promise<void>;
}
