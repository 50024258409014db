import type { Batch, BatchPayout, BatchState } from './batch.js';

export type ChosenBatch = Pick<Batch, 'id' | 'network' | 'sender' | 'call'> & {
  readonly payouts: readonly BatchPayout[];
};

export abstract class Batches {
  /**
   * Stores a batch with its exact call, before it is sent.
   * @returns false where another is in flight for the network and sender: nothing is stored
   */
  abstract choose(batch: ChosenBatch): Promise<boolean>;
  /** Those whose addresses are chosen for no other batch, oldest first. */
  abstract open(network: string): Promise<Batch[]>;
  /** @returns false where it is no more in the state that was read: nothing is changed */
  abstract move(batch: Batch, state: BatchState, transactionHash: string | null): Promise<boolean>;
  /** Newest first. */
  abstract newest(network: string, count: number): Promise<Batch[]>;
  /** Whether its payouts are recorded as settled in that transaction, or at least one is. */
  abstract isRecorded(network: string, transactionHash: string): Promise<boolean>;
  abstract payouts(id: string): Promise<BatchPayout[]>;
}
