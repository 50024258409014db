import type { SourceEvent } from './followed/facts.js';
import type { FollowedTransaction } from './followed/followed-transaction.js';
import type { WaitingPayout } from './followed/late-cover.js';
import type { LaterRows } from './followed/later-rows.js';
import type { OpenMoney } from './followed/open-money.js';
import type { Movement, Occasion } from './movement.js';
import type { Transaction } from './transaction.js';

/** The stored state that movements are posted against. */
export interface KnownOfMovements {
  /** The occasions whose transaction is written already. */
  readonly posted: ReadonlySet<Occasion>;
  /** Payouts that took money of these payment requests before it was booked, oldest first. */
  readonly waiting: readonly WaitingPayout[];
}

/** The stored state that settlements, refunds and floats are followed from. */
export interface KnownOfSources {
  /** Transactions that are written, by source. */
  readonly followed: Map<string, FollowedTransaction>;
  /** The money at the addresses that the settlements emptied. */
  readonly open: OpenMoney;
}

/** The books. Nothing that was written is ever changed. */
export abstract class Journal {
  /** One statement. */
  abstract knownOf(movements: readonly Movement[]): Promise<KnownOfMovements>;

  /** Two statements at most. */
  abstract knownOfSources(events: readonly SourceEvent[]): Promise<KnownOfSources>;

  /**
   * Writes all of them, whatever their number and mix, in a constant number of statements: entries, balances, then the
   * numbers of organizations and of accounts, each in the order of their ids, then the records, then statuses, links and
   * payouts. Their order is the order of their numbers. `created_at` never runs backward within an organization, even if the
   * clock does. Locks the balances and scopes it touches until the unit of work ends.
   * @throws outside a unit of work; a unique violation when somebody else has posted the same occasion meanwhile
   */
  abstract write(transactions: readonly Transaction[], later?: Partial<LaterRows>): Promise<void>;
}
