import type { Statement } from './sql-statements.js';

const FIELD_NAME = /^[a-z][a-zA-Z0-9]*$/;

/**
 * Rejects anything but a plain name, so that input cannot become SQL. Quotes it, because it may be an SQL keyword.
 */
function quoteColumn(field: string): string {
  if (!FIELD_NAME.test(field)) throw new RangeError(`${field} is not the name of a field.`);
  return `"${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/**
 * Returns the statement that inserts one row; `undefined` becomes NULL. @param table a constant @param record the
 * fields to store, always in the same order @param rest constant end of the statement, such as ON CONFLICT; can refer
 * to fields such as `$accountId`
 */
export function buildInsertSql(table: string, record: object, rest = ''): Statement {
  const fields = Object.keys(record);
  const numbered = rest.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!fields.includes(name)) throw new RangeError(`The record has no field ${name}.`);
    return `$${fields.indexOf(name) + 1}`;
  });
  const parameters = fields.map((_, at) => `$${at + 1}`).join(', ');
  const text = `INSERT INTO ${table} (${fields.map(quoteColumn).join(', ')}) SELECT ${parameters} ${numbered}`;
  return [text, Object.values(record)];
}

export function buildUpsertSql(table: string, key: object, changes: object): Statement {
  const columns = Object.keys(changes).map(quoteColumn);
  const rest = `ON CONFLICT (${Object.keys(key).map(quoteColumn).join(', ')}) DO UPDATE
    SET (${columns.join(', ')}) = ROW (${columns.map((column) => `excluded.${column}`).join(', ')})`;
  return buildInsertSql(table, { ...key, ...changes }, rest);
}
