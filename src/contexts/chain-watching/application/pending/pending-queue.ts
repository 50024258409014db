import type { PendingTransfer } from '#contexts/networks/contract/pending-transfers.js';
import { placeOf } from '../reading/complete-incoming-transfers.js';

/** A transfer that a look has shown. */
export interface SightedTransfer extends PendingTransfer {
  readonly seenAt: Date;
}

/**
 * Transfers that looks have shown this process and that no turn has stored yet. A look shows each once, so they stay here
 * until the turn that takes them is committed.
 */
export class PendingQueue {
  private readonly waiting = new Map<string, Map<string, SightedTransfer>>();

  get transactions(): number {
    return this.waiting.size;
  }

  add(transfer: SightedTransfer): void {
    const { transactionHash } = transfer;
    const outputs = this.waiting.get(transactionHash) ?? new Map<string, SightedTransfer>();
    outputs.set(placeOf(transfer), transfer);
    this.waiting.set(transactionHash, outputs);
  }

  /** Whole transactions, the longest waiting first: one at least, and no further one beyond `most` transfers. */
  first(most: number): SightedTransfer[][] {
    const taken: SightedTransfer[][] = [];
    let count = 0;
    for (const outputs of this.waiting.values()) {
      if (count > 0 && count + outputs.size > most) break;
      taken.push([...outputs.values()]);
      count += outputs.size;
    }
    return taken;
  }

  remove(transactionHashes: Iterable<string>): void {
    for (const hash of transactionHashes) this.waiting.delete(hash);
  }

  /** Drops what no endpoint holds any more: a block has it, or nobody. */
  keepOnly(isHeld: (transactionHash: string) => boolean): void {
    this.remove([...this.waiting.keys()].filter((hash) => !isHeld(hash)));
  }
}
