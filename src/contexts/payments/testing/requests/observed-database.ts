import { Database } from '#shared/platform/database/database.js';

export class ObservedDatabase extends Database {
  readonly statements: string[] = [];
  /** Called with the number of the statement, counted from 1, before it is sent; a throw is a crash at that point. */
  beforeStatement: (number: number, text: string) => void = () => undefined;

  /** Called once a statement is answered; the answer is handed on when it has returned. */
  afterStatement: (text: string) => void | Promise<void> = () => undefined;

  unitsOpen = 0;

  override async run<T>(work: () => Promise<T>): Promise<T> {
    this.unitsOpen += 1;
    try {
      return await super.run(work);
    } finally {
      this.unitsOpen -= 1;
    }
  }

  override async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    this.statements.push(text);
    this.beforeStatement(this.statements.length, text);
    const rows = await super.query<Row>(text, values);
    await this.afterStatement(text);
    return rows;
  }

  async sentBy(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.statements.length;
    await work();
    return this.statements.slice(before);
  }
}
