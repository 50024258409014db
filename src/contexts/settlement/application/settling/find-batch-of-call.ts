import { Injectable } from '@nestjs/common';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';

/** Considers only batches that were never sent. */
@Injectable()
export class FindBatchOfCall {
  constructor(
    private readonly batches: Batches,
    private readonly sender: OutboundTransactionSender,
  ) {}

  /** Null if no batch has this call; the payouts are recorded from the chain in any case. */
  async find(network: string, call: { readonly to: string; readonly data: string }) {
    for (const { id, call: own } of await this.batches.listOpen(network)) {
      const isIt = own.to.toLowerCase() === call.to && own.data.toLowerCase() === call.data;
      if (isIt && (await this.sender.status(id)) === null) return { id, purpose: 'settlement' as const };
    }
    return null;
  }
}
