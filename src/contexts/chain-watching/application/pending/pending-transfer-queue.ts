import type { PendingTransfer } from '#contexts/networks/contract/pending-transfers.js';
import { transferKey } from '../transfers-by-request.js';

export interface FirstSeenTransfer extends PendingTransfer {
  readonly seenAt: Date;
}

/** A mempool check returns each transfer only once, so the queue keeps it until it is stored. */
export class PendingTransferQueue {
  private readonly waiting = new Map<string, Map<string, FirstSeenTransfer>>();

  get transactionCount(): number {
    return this.waiting.size;
  }

  add(transfer: FirstSeenTransfer): void {
    const { transactionHash } = transfer;
    const outputs = this.waiting.get(transactionHash) ?? new Map<string, FirstSeenTransfer>();
    outputs.set(transferKey(transfer), transfer);
    this.waiting.set(transactionHash, outputs);
  }

  /** At least one transaction, and more while the total stays within `limit` transfers. */
  oldestTransactions(limit: number): FirstSeenTransfer[][] {
    const taken: FirstSeenTransfer[][] = [];
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
