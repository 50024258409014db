import type { Settlement } from './settlement.js';

export abstract class Settlements {
  /** Row-locked until the unit of work ends; one statement. @param payouts ids of payouts */
  abstract lockOf(payouts: readonly string[]): Promise<Settlement[]>;
  /**
   * Stores states and events together, in as many statements for many as for one; refuses to run outside a unit of work.
   * @throws Error where one that was stored is no more as it was read
   */
  abstract save(settlements: readonly Settlement[], at: Date): Promise<void>;
}
