import type { PendingTransfer } from '#contexts/networks/contract/pending-transfers.js';
import { transferKey } from '../transfers-by-request.js';

export interface SightedTransfer extends PendingTransfer {
  readonly seenAt: Date;
}

/** A mempool check returns each transfer only once, so the queue keeps it until it is stored. */
export class PendingQueue {
  private readonly waiting = new Map<string, Map<string, SightedTransfer>>();

  get transactionCount(): number {
    return this.waiting.size;
  }

  add(transfer: SightedTransfer): void {
    const { transactionHash } = transfer;
    const outputs = this.waiting.get(transactionHash) ?? new Map<string, SightedTransfer>();
    outputs.set(transferKey(transfer), transfer);
    this.waiting.set(transactionHash, outputs);
  }

  /** At least one transaction, and more while the total stays within `limit` transfers. */
  oldestTransactions(limit: number): SightedTransfer[][] {
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

  keepOnlyHeld(isHeld: (transactionHash: string) => boolean): void {
    this.remove([...this.waiting.keys()].filter((hash) => !isHeld(hash)));
  }
}
