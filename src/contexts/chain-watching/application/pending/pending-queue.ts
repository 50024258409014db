import type { PendingTransfer } from '#contexts/networks/contract/pending-transfers.js';
import { transferKey } from '../transfers-by-request.js';

export interface SightedTransfer extends PendingTransfer {
  readonly seenAt: Date;
}

/**
 * Transfers seen in mempools by this process and not stored yet. A mempool check returns each transfer once, so they stay here
 * until the iteration that takes them is committed.
 */
export class PendingQueue {
  private readonly waiting = new Map<string, Map<string, SightedTransfer>>();

  get transactions(): number {
    return this.waiting.size;
  }

  add(transfer: SightedTransfer): void {
    const { transactionHash } = transfer;
    const outputs = this.waiting.get(transactionHash) ?? new Map<string, SightedTransfer>();
    outputs.set(transferKey(transfer), transfer);
    this.waiting.set(transactionHash, outputs);
  }

  /** Complete transactions, longest waiting first: at least one, and more while the total stays within `limit` transfers. */
  first(limit: number): SightedTransfer[][] {
    const taken: SightedTransfer[][] = [];
    let count = 0;
    for (const outputs of this.waiting.values()) {
      if (count > 0 && count + outputs.size > limit) break;
      taken.push([...outputs.values()]);
      count += outputs.size;
    }
    return taken;
  }

  remove(transactionHashes: Iterable<string>): void {
    for (const hash of transactionHashes) this.waiting.delete(hash);
  }

  /** Drops transactions that no endpoint holds: they were mined or discarded. */
  keepOnly(isHeld: (transactionHash: string) => boolean): void {
    this.remove([...this.waiting.keys()].filter((hash) => !isHeld(hash)));
  }
}
