import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { linkLateFunds } from '../domain/followed/late-cover.js';
import { Journal } from '../infrastructure/persistence/journal.js';
import { movementKey, toMovementTransaction, type Movement, type MovementKey } from '../domain/movement.js';

@Injectable()
export class PostMovements {
  constructor(private readonly journal: Journal) {}

  /** Idempotent. Joins the caller's unit of work. Transactions are numbered in the given order. */
  async post(movements: readonly Movement[]): Promise<void> {
    const known = await this.journal.priorPostings(movements);
    const posted = new Set<MovementKey>(known.posted);
    const fresh = movements.filter((movement) => {
      const key = movementKey(movement);
      if (posted.has(key)) return false;
      posted.add(key);
      return true;
    });
    const transactions = fresh.map((movement) => toMovementTransaction(newId(), movement));
    await this.journal.write(transactions, linkLateFunds(transactions, known.waiting));
  }
}
