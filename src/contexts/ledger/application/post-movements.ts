import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { coverLate } from '../domain/followed/late-cover.js';
import { PostgresJournal } from '../infrastructure/persistence/postgres-journal.js';
import { occasionOf, transactionOf, type Movement, type Occasion } from '../domain/movement.js';

/** Posts one transaction per movement. Posting is idempotent. */
@Injectable()
export class PostMovements {
  constructor(private readonly journal: PostgresJournal) {}

  /**
   * Joins the caller's unit of work. Transactions are numbered in the given order. Links funds that a settlement delivered
   * before they were booked.
   */
  async post(movements: readonly Movement[]): Promise<void> {
    const known = await this.journal.knownOf(movements);
    const posted = new Set<Occasion>(known.posted);
    const fresh = movements.filter((movement) => {
      const occasion = occasionOf(movement);
      if (posted.has(occasion)) return false;
      posted.add(occasion);
      return true;
    });
    const transactions = fresh.map((movement) => transactionOf(newId(), movement));
    await this.journal.write(transactions, coverLate(transactions, known.waiting));
  }
}
