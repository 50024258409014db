import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import pg from 'pg';
import type { CustomTypesConfig, Pool, PoolClient, QueryArrayResult } from 'pg';
import { camelCase } from '../../kernel/camel-case.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { followedRequest } from '../replica/read-after.js';
import { Replica } from '../replica/replica.js';
import { type SpanStart, tracedPart, tracing } from '../tracing/tracing.js';
import { identityOf, poolOf } from './data-source.js';
import type { DatabaseIdentity } from './database-identity.js';
import { isTransientDatabaseError } from './transient-error.js';

function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** A text is a constant: the input of callers and payers is in the values, which a span never has. */
function statementSpan(text: string): SpanStart {
  const [operation = ''] = /[A-Za-z]+/.exec(text) ?? [];
  const fields = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 500) };
  return { name: operation.toUpperCase(), kind: 'client', fields };
}

/** Null where the transaction has written nothing. */
const WRITTEN_IN = 'SELECT pg_current_xact_id_if_assigned()::text AS written_in';

interface OpenUnitOfWork {
  readonly client: PoolClient;
  afterCommit: (() => void)[];
  ended: boolean;
}

const current = new AsyncLocalStorage<OpenUnitOfWork>();
/** Work that still runs when its unit has ended must not write into the next one on the same connection. */
function openUnit(): OpenUnitOfWork | undefined {
  const unit = current.getStore();
  return unit?.ended === false ? unit : undefined;
}

interface KnownStatement {
  /** A stable name makes PostgreSQL parse and plan a text once per connection. */
  readonly name: string;
  /** Names the transaction in which it writes by a column `written_in`, or does not. */
  readonly writes: 'never' | 'in_unknown' | 'in_named';
}

const knownStatements = new Map<string, KnownStatement>();

/** Texts must be constants. */
function known(text: string): KnownStatement {
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

/** A transaction id as PostgreSQL writes it; null or absent where nothing was written. */
interface Written {
  readonly writtenIn?: string | null;
}

/** A count, a position or a number of a block: far below 2^53, and refused beyond it. */
function integerOf(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`A bigint column holds ${text}, which is no safe integer.`);
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

function rowsOf<Row extends object>({ fields, rows }: QueryArrayResult): Row[] {
  const names = fields.map((field) => camelCase(field.name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < names.length; place += 1) row[names[place]!] = values[place];
    return row as Row;
  });
}

/**
 * SQL inside the open unit of work, or by itself on a pooled connection where none is open.
 * The transaction travels in AsyncLocalStorage, so watchers and jobs use the same repositories as requests do.
 */
@Injectable()
export class Database extends UnitOfWork {
  readonly identity: DatabaseIdentity;

  /** @param replica absent where none is set, and in processes that answer no requests */
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly replica?: Replica,
  ) {
    super();
    this.identity = identityOf(dataSource);
  }

  /**
   * Runs one prepared statement. A column `settled_at` arrives as the field `settledAt`; `numeric` (an amount in smallest
   * units) arrives as bigint, `bigint` as number, `timestamptz` as Date; their arrays as the driver reads them. Names
   * inside a JSON value stay as the statement spells them.
   * @throws RangeError for a `bigint` beyond 2^53, SyntaxError for a `numeric` with a fraction, WritingStopped
   */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { writes } = known(text);
    if (writes !== 'never') this.identity.demandWriting();
    const unit = openUnit();
    if (unit !== undefined) return this.send<Row>(unit.client, text, values);
    const request = followedRequest();
    if (request === undefined) return this.send<Row>(this.pool, text, values);
    // The transaction of its own is named before its end.
    if (writes === 'in_unknown') return this.run(() => this.query<Row>(text, values));
    const rows = await this.send<Row>(this.pool, text, values);
    const { writtenIn } = (rows[0] ?? {}) as Written;
    if (writtenIn) request.wrote(BigInt(writtenIn));
    return rows;
  }

  /**
   * Runs a statement like `query`, on the replica where one is set that is new enough, and has the caller's own last write
   * (docs/decisions/0046-read-replicas.md). For lists, files and pages: nothing may be decided by the answer, and none be
   * remembered. Inside a unit of work it is an ordinary `query`.
   */
  async queryReplica<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.replica === undefined || openUnit() !== undefined) return this.query<Row>(text, values);
    return this.replica.read(
      (client) => this.send<Row>(client, text, values),
      () => this.query<Row>(text, values),
    );
  }

  private async send<Row extends object>(
    runner: Pool | PoolClient,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const { name } = known(text);
    const statement = { name, text, values, rowMode: 'array' as const, types: COLUMN_TYPES };
    if (tracing() === undefined) return rowsOf<Row>(await runner.query(statement));
    return tracedPart(statementSpan(text), async () => rowsOf<Row>(await runner.query(statement)));
  }

  /** The rows as PostgreSQL names and writes them, for readers that show them and compute nothing. */
  async rows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await (openUnit()?.client ?? this.pool).query<Record<string, unknown>>(text, values)).rows;
  }

  /**
   * Runs a statement like `query`, and refuses to run outside a unit of work: for writes that must be atomic with
   * others.
   */
  async write<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.open();
    return this.query<Row>(text, values);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (openUnit() !== undefined) return work();
    return tracedPart({ name: 'transaction', kind: 'internal' }, () => this.runAlone(work));
  }

  private async runAlone<T>(work: () => Promise<T>): Promise<T> {
    this.identity.demandWriting();
    const runner = this.dataSource.createQueryRunner();
    let unit: OpenUnitOfWork | undefined;
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      unit = { client, afterCommit: [], ended: false };
      const result = await current.run(unit, work);
      unit.ended = true;
      this.identity.demandWriting();
      const request = followedRequest();
      const written = request && (await this.send<Written>(client, WRITTEN_IN, []))[0]!.writtenIn;
      await runner.commitTransaction();
      if (written) request.wrote(BigInt(written));
      for (const hook of unit.afterCommit) hook();
      return result;
    } catch (error) {
      if (unit !== undefined) unit.ended = true;
      // A connection whose query never came back is of no use to anybody. pg cuts one that is ended while a query runs, so that
      // the rollback fails at once, and the pool drops it.
      if (isQueryTimeout(error)) unit?.client.end().catch(() => undefined);
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** A part of the open unit of work that can fail alone: what it wrote is undone, the rest stays. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const unit = this.open();
    const hooks = unit.afterCommit.length;
    await unit.client.query('SAVEPOINT part');
    try {
      const result = await work();
      await unit.client.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      // Released too: a surrounding part of the same name would otherwise be undone only up to here.
      await unit.client.query('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part');
      unit.afterCommit = unit.afterCommit.slice(0, hooks);
      throw error;
    }
  }

  async attempt<T>(work: () => Promise<T>): Promise<{ result: T } | { error: Error }> {
    try {
      return { result: await this.savepoint(work) };
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** Calls `hook` once the open unit of work is committed; never when it is rolled back. */
  afterCommit(hook: () => void): void {
    this.open().afterCommit.push(hook);
  }

  /** Calls `hook` like `afterCommit`, or at once where no unit of work is open. */
  whenCommitted(hook: () => void): void {
    const unit = openUnit();
    if (unit === undefined) hook();
    else unit.afterCommit.push(hook);
  }

  /** The connections of this process, and how many statements wait for one. */
  pooled(): { total: number; idle: number; waiting: number; most: number } {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  private open(): OpenUnitOfWork {
    const unit = openUnit();
    if (unit === undefined) throw new Error('This write belongs inside a unit of work.');
    return unit;
  }

  private get pool(): Pool {
    return poolOf(this.dataSource);
  }
}
