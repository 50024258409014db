import type { SourceEvent } from './followed/facts.js';
import type { FollowedTransaction } from './followed/followed-transaction.js';
import type { WaitingPayout } from './followed/late-cover.js';
import type { LaterRows } from './followed/later-rows.js';
import type { OpenMoney } from './followed/open-money.js';
import type { Movement, Occasion } from './movement.js';
import type { Transaction } from './transaction.js';

export interface KnownOfMovements {
  /** Occasions that already have a transaction. */
  readonly posted: ReadonlySet<Occasion>;
  /** Payouts that took funds of these payment requests before the funds were booked, oldest first. */
  readonly waiting: readonly WaitingPayout[];
}

export interface KnownOfSources {
  /** Existing transactions, by source. */
  readonly followed: Map<string, FollowedTransaction>;
  /** Open money at the addresses that the settlements emptied. */
  readonly open: OpenMoney;
}

/** The journal. It is append-only. */
export abstract class Journal {
  /** Runs one statement. */
  abstract knownOf(movements: readonly Movement[]): Promise<KnownOfMovements>;

  /** Runs at most two statements. */
  abstract knownOfSources(events: readonly SourceEvent[]): Promise<KnownOfSources>;

  /**
   * Writes transactions with a constant number of statements, whatever their number and types. Order of writes: entries,
   * balances, numbers of organizations and of accounts (each ordered by id), transactions, then statuses, links and payouts.
   * Transactions are numbered in the given order. `created_at` never decreases within an organization, even if the clock does.
   * Locks the affected balances and scopes until the unit of work ends.
   * @throws outside a unit of work; a unique violation if the same occasion was posted concurrently
   */
  abstract write(transactions: readonly Transaction[], later?: Partial<LaterRows>): Promise<void>;
}
