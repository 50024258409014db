import { Injectable } from '@nestjs/common';
import { newId, type TransactionId } from '#shared/kernel/ids.js';
import type { SourceEvent } from '../domain/followed/facts.js';
import { FollowedBooks } from '../domain/followed/followed-books.js';
import { Journal } from '../infrastructure/persistence/journal.js';

@Injectable()
export class FollowSources {
  constructor(private readonly journal: Journal) {}

  /** Joins the caller's unit of work. Callers must not run concurrently. */
  async follow(events: readonly SourceEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { followed, open } = await this.journal.priorTransactions(events);
    const books = new FollowedBooks(followed, open, () => newId<TransactionId>());
    for (const event of events) books.follow(event);
    await this.journal.write(books.transactions, books.later);
  }
}
