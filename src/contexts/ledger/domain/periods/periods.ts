import type { OrganizationId } from '#shared/kernel/ids.js';
import type { BooksState } from './closing-rule.js';
import type { Period } from './period.js';

/** The closed months of organizations. */
export abstract class Periods {
  /**
   * Locks the organization's books until the unit of work ends: a posting is before, and seen, or after.
   * @returns null where nothing has been booked
   */
  abstract lock(organization: OrganizationId): Promise<BooksState | null>;

  /** Demands that the books are locked. */
  abstract close(organization: OrganizationId, period: Period, by: string, at: Date): Promise<void>;

  /** Demands that the books are locked. Removes the month's stored statements. */
  abstract reopen(organization: OrganizationId, period: Period): Promise<void>;

  /**
   * Stores the statements of closed months that have none yet: outside a unit of work, so that nobody waits for the sums. What fails
   * is logged: readers sum up what is not stored, and the next close stores it.
   */
  abstract storeStatements(organization: OrganizationId): Promise<void>;
}
