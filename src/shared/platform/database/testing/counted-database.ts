import { Database } from '../database.js';

/** The database under test, with a count of the statements sent to it. */
export class CountedDatabase extends Database {
  statements = 0;

  override async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}
