import type { Statement } from './statements.js';

const FIELD = /^[a-z][a-zA-Z0-9]*$/;

/** Quoted, because a column may have the name of a keyword. @throws RangeError, so that other text can never become SQL */
function columnOf(field: string): string {
  if (!FIELD.test(field)) throw new RangeError(`${field} is not the name of a field.`);
  return `"${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/**
 * Returns the statement that inserts one row. The field `settledAt` becomes the column `settled_at`, `undefined` becomes NULL.
 * Records with the same fields have the same text, so the statement is prepared once per connection.
 * @param table constant
 * @param record has exactly the fields to store, in a fixed order
 * @param rest constant end of the statement: a condition for the insertion (WHERE), ON CONFLICT, RETURNING. It can use the
 * values of the record by field name, such as `$accountId`.
 */
export function insertInto(table: string, record: object, rest = ''): Statement {
  const fields = Object.keys(record);
  const numbered = rest.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!fields.includes(name)) throw new RangeError(`The record has no field ${name}.`);
    return `$${fields.indexOf(name) + 1}`;
  });
  const parameters = fields.map((_, at) => `$${at + 1}`).join(', ');
  const text = `INSERT INTO ${table} (${fields.map(columnOf).join(', ')}) SELECT ${parameters} ${numbered}`;
  return [text, Object.values(record)];
}

/** Returns the statement that inserts a row like `insertInto`, or changes the row with the same key. */
export function insertOrUpdate(table: string, key: object, changes: object): Statement {
  const columns = Object.keys(changes).map(columnOf);
  const rest = `ON CONFLICT (${Object.keys(key).map(columnOf).join(', ')}) DO UPDATE
    SET (${columns.join(', ')}) = ROW (${columns.map((column) => `excluded.${column}`).join(', ')})`;
  return insertInto(table, { ...key, ...changes }, rest);
}
