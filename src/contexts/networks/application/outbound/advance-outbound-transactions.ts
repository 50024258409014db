import { Injectable } from '@nestjs/common';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { type AdvanceResult, AdvanceOutboundTransaction } from './advance-outbound-transaction.js';
import { OutboundTransactions } from './outbound-transactions.js';

export interface OutboundTransactionProgress {
  readonly before: OutboundTransaction;
  /** Null if a step failed. */
  readonly after: OutboundTransaction | null;
  readonly advance: AdvanceResult | null;
  readonly error: unknown;
}

@Injectable()
export class AdvanceOutboundTransactions {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly advanceSending: AdvanceOutboundTransaction,
  ) {}

  /**
   * Continues if an outbound transaction fails, and returns its error.
   * @param isMinedDue false: skips transactions that only wait for finality
   */
  async advance(network: string, isMinedDue = true): Promise<OutboundTransactionProgress[]> {
    const done: OutboundTransactionProgress[] = [];
    for (const before of await this.sendings.unfinished(network)) {
      if (before.state === 'mined' && !isMinedDue) continue;
      try {
        let advance: AdvanceResult;
        do advance = await this.advanceSending.advance(before.id);
        while (advance === 'moved');
        done.push({ before, after: await this.sendings.find(before.id), advance, error: null });
      } catch (error) {
        done.push({ before, after: null, advance: null, error });
      }
    }
    return done;
  }
}
