import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CustomTypesConfig, QueryArrayConfig, QueryArrayResult } from 'pg';
import { camelCase } from '#shared/kernel/text.js';
import type { SpanStart } from '../tracing/tracing.js';

interface KnownStatement {
  /** A stable name makes PostgreSQL parse and plan a text once per connection. */
  readonly name: string;
  /** Names the transaction in which it writes by a column `written_in`, or does not. */
  readonly writes: 'never' | 'in_unknown' | 'in_named';
}

const knownStatements = new Map<string, KnownStatement>();

/** Texts must be constants. */
export function knownStatement(text: string): KnownStatement {
  let statement = knownStatements.get(text);
  if (statement === undefined) {
    // House style writes SQL's words in capitals. A function that writes is called in units of work alone.
    const writes = /\b(?:INSERT|UPDATE|DELETE|TRUNCATE|MERGE)\b/.test(text);
    statement = {
      name: createHash('sha1').update(text).digest('base64url'),
      writes: !writes ? 'never' : /\bAS written_in\b/.test(text) ? 'in_named' : 'in_unknown',
    };
    knownStatements.set(text, statement);
  }
  return statement;
}

/** A count, a position or a number of a block: far below 2^53, and refused beyond it. */
function integerOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`A bigint column contains ${text}, which is not a safe integer.`);
  return value;
}

/** An amount has no fraction (smallest units); a `numeric` with one throws here. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, integerOf],
  [pg.types.builtins.NUMERIC, BigInt],
]);

const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
};

/** A prepared statement whose rows come as arrays, for `rowsOf`. */
export function toStatement(text: string, values: unknown[]): QueryArrayConfig {
  return { name: knownStatement(text).name, text, values, rowMode: 'array', types: COLUMN_TYPES };
}

/** Makes objects of the rows: a column `settled_at` is the field `settledAt`. */
export function rowsOf<Row extends object>({ fields, rows }: QueryArrayResult): Row[] {
  const names = fields.map((field) => camelCase(field.name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < names.length; place += 1) row[names[place]!] = values[place];
    return row as Row;
  });
}

/** A text is a constant: the input of callers and payers is in the values, which a span never has. */
export function statementSpan(text: string): SpanStart {
  const [operation = ''] = /[A-Za-z]+/.exec(text) ?? [];
  const fields = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 500) };
  return { name: operation.toUpperCase(), kind: 'client', fields };
}

/** A statement with numbered parameters, and their values. */
export type Statement = [text: string, values: unknown[]];

/**
 * Prepares a text whose parameters have names, such as `$createdAt`. The text must be a constant.
 * @returns a function that takes the values by name; `undefined` is NULL
 */
export function namedStatement<Values extends object>(text: string): (values: Values) => Statement {
  const names = [...new Set(Array.from(text.matchAll(/\$([a-z]\w*)/gi), ([, name]) => name!))];
  const numbered = text.replace(/\$([a-z]\w*)/gi, (_, name: string) => `$${names.indexOf(name) + 1}`);
  return (values) => {
    const missing = names.find((name) => !(name in values));
    if (missing !== undefined) throw new Error(`The statement needs a value for $${missing}.`);
    return [numbered, names.map((name) => values[name as keyof Values])];
  };
}
