import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { followedRequest } from '../replica/read-after.js';
import { Replica } from '../replica/replica.js';
import { tracedPart, tracing } from '../tracing/tracing.js';
import { identityOf, poolOf } from './data-source.js';
import type { DatabaseIdentity } from './database-identity.js';
import { knownStatement, rowsOf, statementSpan, toStatement } from './statements.js';
import { isTransientDatabaseError } from './transient-error.js';

function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Null where the transaction has written nothing. */
const WRITTEN_IN = 'SELECT pg_current_xact_id_if_assigned()::text AS written_in';

interface OpenUnitOfWork {
  readonly client: PoolClient;
  afterCommit: (() => void)[];
  ended: boolean;
  rolledBack: boolean;
}

const current = new AsyncLocalStorage<OpenUnitOfWork>();
/** Work that still runs when its unit has ended must not write into the next one on the same connection. */
function openUnit(): OpenUnitOfWork | undefined {
  const unit = current.getStore();
  return unit?.ended === false ? unit : undefined;
}

/** A transaction id as PostgreSQL writes it; null or absent where nothing was written. */
interface Written {
  readonly writtenIn?: string | null;
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
    const { writes } = knownStatement(text);
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
    const statement = toStatement(text, values);
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
      unit = { client, afterCommit: [], ended: false, rolledBack: false };
      const result = await current.run(unit, work);
      unit.ended = true;
      if (unit.rolledBack) return result;
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
      throw error;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }

  rollback(): void {
    this.open().rolledBack = true;
  }

  /** Runs a part of the open unit of work. If it fails, only its own writes are rolled back. */
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
    if (unit === undefined) throw new Error('This write must run inside a unit of work.');
    return unit;
  }

  private get pool(): Pool {
    return poolOf(this.dataSource);
  }
}
