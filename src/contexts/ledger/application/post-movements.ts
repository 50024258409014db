import { Injectable } from '@nestjs/common';
import { newId } from '../../../shared/kernel/ids.js';
import { Journal } from '../domain/journal.js';
import { occasionOf, transactionOf, type Movement, type Occasion } from '../domain/movement.js';

/** The ledger step: one transaction for each movement, once, however often it is posted. */
@Injectable()
export class PostMovements {
  constructor(private readonly journal: Journal) {}

  /** Joins the caller's unit of work. Movements are numbered in the given order. */
  async execute(movements: readonly Movement[]): Promise<void> {
    const posted = new Set<Occasion>(await this.journal.postedAmong(movements));
    const fresh = movements.filter((movement) => {
      const occasion = occasionOf(movement);
      if (posted.has(occasion)) return false;
      posted.add(occasion);
      return true;
    });
    await this.journal.write(fresh.map((movement) => transactionOf(newId(), movement)));
  }
}
