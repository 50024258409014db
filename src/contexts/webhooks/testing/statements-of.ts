import type { TestPlatform } from '#test/support/open-database.js';

/** @returns the SQL statements that the platform's `Database` executes while `work` runs, in order */
export async function statementsOf(
  { database }: TestPlatform,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  const { query } = database;
  database.query = function <Row extends object>(text: string, values?: unknown[]) {
    texts.push(text);
    return query.call(database, text, values) as Promise<Row[]>;
  };
  try {
    await work();
  } finally {
    database.query = query;
  }
  return texts;
}
