import { Injectable } from '@nestjs/common';
import { Sender } from '#contexts/networks/contract/sender.js';
import { Batches } from '../../domain/settling/batch.js';

/** Finds the batch that a transaction of the gas key on the chain pays out: a batch that was chosen and that nothing has sent. */
@Injectable()
export class FindBatchOfCall {
  constructor(
    private readonly batches: Batches,
    private readonly sender: Sender,
  ) {}

  /** @returns null where there is none: what was paid out is recorded from the chain all the same */
  async find(network: string, call: { readonly to: string; readonly data: string }) {
    for (const { id, call: own } of await this.batches.open(network)) {
      const isIt = own.to.toLowerCase() === call.to && own.data.toLowerCase() === call.data;
      if (isIt && (await this.sender.fate(id)) === null) return { id, purpose: 'settlement' as const };
    }
    return null;
  }
}
