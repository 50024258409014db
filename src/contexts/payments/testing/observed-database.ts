import { Database } from '../../../shared/platform/database/database.js';

/** The database, and every statement that goes to it. */
export class ObservedDatabase extends Database {
  readonly statements: string[] = [];
  /** Called with the number of the statement, counted from 1, before it is sent; a throw is a crash at that point. */
  beforeStatement: (number: number, text: string) => void = () => undefined;

  override async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    this.statements.push(text);
    this.beforeStatement(this.statements.length, text);
    return super.query<Row>(text, values);
  }

  /** The statements that `work` sends. */
  async sentBy(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.statements.length;
    await work();
    return this.statements.slice(before);
  }
}
