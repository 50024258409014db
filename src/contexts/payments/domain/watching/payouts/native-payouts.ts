import type { RecordedPayout } from './recorded-payouts.js';

/**
 * Payouts of native coin as the release before this one reads and writes them: while processes are restarted one by one,
 * its watcher may have its turn. Nothing else reads them.
 */
export abstract class NativePayouts {
  /** Those of them that are of native coin, each once. */
  abstract add(network: string, payouts: readonly RecordedPayout[]): Promise<void>;
  /**
   * The oldest that only that release has recorded: at least `limit` where there are so many, and of each transaction all.
   * What part of them was the fee is by the terms of the address.
   */
  abstract notTakenOver(network: string, limit: number): Promise<RecordedPayout[]>;
  abstract drop(network: string, payouts: readonly RecordedPayout[]): Promise<void>;
}
