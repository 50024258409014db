import { Injectable } from '@nestjs/common';
import { newId, type LedgerTransactionId } from '#shared/kernel/ids.js';
import type { SourceEvent } from '../domain/followed/facts.js';
import { SourceEventPoster } from '../domain/followed/source-event-poster.js';
import { Journal } from '../infrastructure/persistence/journal.js';

@Injectable()
export class PostSourceEvents {
  constructor(private readonly journal: Journal) {}

  /** Joins the caller's unit of work. Callers must not run concurrently. */
  async post(events: readonly SourceEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { followed, open } = await this.journal.priorTransactions(events);
    const books = new SourceEventPoster(followed, open, () => newId<LedgerTransactionId>());
    for (const event of events) books.post(event);
    await this.journal.write(books.transactions, books.later);
  }
}
