import { Database } from '../database.js';

/** The real database, which counts the statements sent through it. */
export class CountedDatabase extends Database {
  statements = 0;

  override async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}
