import type { Statement } from './statements.js';

const FIELD_NAME = /^[a-z][a-zA-Z0-9]*$/;

/**
 * Quotes the column name, because it may be an SQL keyword. @throws RangeError unless `field` is a plain name, so that
 * input cannot become SQL
 */
function quoteColumn(field: string): string {
  if (!FIELD_NAME.test(field)) throw new RangeError(`${field} is not the name of a field.`);
  return `"${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
}

/**
 * Returns the statement that inserts one row. The field `settledAt` becomes the column `settled_at`, `undefined`
 * becomes NULL. Records with the same fields produce the same SQL, so PostgreSQL prepares it once per connection.
 * @param table a constant
 * @param record exactly the fields to store, always in the same order
 * @param rest constant end of the statement, such as WHERE, ON CONFLICT or RETURNING. It can refer to fields of the
 * record, such as `$accountId`.
 */
export function insertInto(table: string, record: object, rest = ''): Statement {
  const fields = Object.keys(record);
  const numbered = rest.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!fields.includes(name)) throw new RangeError(`The record has no field ${name}.`);
    return `$${fields.indexOf(name) + 1}`;
  });
  const parameters = fields.map((_, at) => `$${at + 1}`).join(', ');
  const text = `INSERT INTO ${table} (${fields.map(quoteColumn).join(', ')}) SELECT ${parameters} ${numbered}`;
  return [text, Object.values(record)];
}

/** Returns the statement that inserts a row like `insertInto` or, if a row with this key exists, changes that row. */
export function insertOrUpdate(table: string, key: object, changes: object): Statement {
  const columns = Object.keys(changes).map(quoteColumn);
  const rest = `ON CONFLICT (${Object.keys(key).map(quoteColumn).join(', ')}) DO UPDATE
    SET (${columns.join(', ')}) = ROW (${columns.map((column) => `excluded.${column}`).join(', ')})`;
  return insertInto(table, { ...key, ...changes }, rest);
}
