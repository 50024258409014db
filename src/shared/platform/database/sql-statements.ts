import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CustomTypesConfig, QueryArrayConfig, QueryArrayResult } from 'pg';
import { camelCase } from '#shared/kernel/text.js';
import type { SpanStart } from '../tracing/tracing.js';

interface KnownStatement {
  readonly name: string;
  /** `in_named`: also returns its transaction id in a column `writing_transaction_id`. */
  readonly writes: 'never' | 'in_unknown' | 'in_named';
}

const knownStatements = new Map<string, KnownStatement>();

export function cachedSqlStatement(text: string): KnownStatement {
  let statement = knownStatements.get(text);
  if (statement === undefined) {
    // SQL keywords are always in capitals in this code base. SQL functions that write are called only in units of
    // work.
    const writes = /\b(?:INSERT|UPDATE|DELETE|TRUNCATE|MERGE)\b/.test(text);
    statement = {
      name: createHash('sha1').update(text).digest('base64url'),
      writes: !writes ? 'never' : /\bAS writing_transaction_id\b/.test(text) ? 'in_named' : 'in_unknown',
    };
    knownStatements.set(text, statement);
  }
  return statement;
}

/** Values (counts, positions, block numbers) are far below 2^53; larger ones are rejected. */
function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`A bigint column contains ${text}, which is not a safe integer.`);
  return value;
}

/** Parsers by PostgreSQL type. `numeric` columns hold amounts in smallest units, so a fraction is an error. */
const COLUMN_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseInteger],
  [pg.types.builtins.NUMERIC, BigInt],
]);

const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    COLUMN_PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
};

export function toArrayQuery(text: string, values: unknown[]): QueryArrayConfig {
  return { name: cachedSqlStatement(text).name, text, values, rowMode: 'array', types: COLUMN_TYPES };
}

export function toRowObjects<Row extends object>({ fields, rows }: QueryArrayResult): Row[] {
  const names = fields.map((field) => camelCase(field.name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < names.length; place += 1) row[names[place]!] = values[place];
    return row as Row;
  });
}

/** The span contains the constant SQL, but never the values, which may contain personal data. */
export function traceSpanOfSql(text: string): SpanStart {
  const [operation = ''] = /[A-Za-z]+/.exec(text) ?? [];
  const fields = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 500) };
  return { name: operation.toUpperCase(), kind: 'client', fields };
}

export type Statement = [text: string, values: unknown[]];

/**
 * Converts named parameters such as `$createdAt` to numbered ones. @returns a function that takes the values by name;
 * `undefined` becomes NULL
 */
export function namedParameterStatement<Values extends object>(text: string): (values: Values) => Statement {
  const names = [...new Set(Array.from(text.matchAll(/\$([a-z]\w*)/gi), ([, name]) => name!))];
  const numbered = text.replace(/\$([a-z]\w*)/gi, (_, name: string) => `$${names.indexOf(name) + 1}`);
  return (values) => {
    const missing = names.find((name) => !(name in values));
    if (missing !== undefined) throw new Error(`The statement needs a value for $${missing}.`);
    return [numbered, names.map((name) => values[name as keyof Values])];
  };
}
