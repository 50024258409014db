import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pool, PoolClient } from 'pg';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { currentReadAfterWriteContext } from './read-after.js';
import { runTracedInOpenSpan, tracing } from '../tracing/tracing.js';
import { databaseIdentityOf, connectionPoolOf } from './data-source.js';
import type { DatabaseIdentity } from './database-identity.js';
import { cachedSqlStatement, toRowObjects, traceSpanOfSql, toArrayQuery } from './sql-statements.js';
import { isTransientDatabaseError } from './transient-error.js';

function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

const SELECT_WRITING_TRANSACTION = 'SELECT pg_current_xact_id_if_assigned()::text AS writing_transaction_id';

interface OpenUnitOfWork {
  readonly client: PoolClient;
  afterCommit: (() => void)[];
  ended: boolean;
  rolledBack: boolean;
}

const currentUnit = new AsyncLocalStorage<OpenUnitOfWork>();

/**
 * Ignores a unit that has ended: code that outlives its unit must not write into the next unit on the same
 * connection.
 */
function openUnit(): OpenUnitOfWork | undefined {
  const unit = currentUnit.getStore();
  return unit?.ended === false ? unit : undefined;
}

interface WritingTransaction {
  readonly writingTransactionId?: string | null;
}

export abstract class ReplicaReads {
  abstract read<T>(ask: (client: PoolClient) => Promise<T>, askPrimary: () => Promise<T>): Promise<T>;
}

/** AsyncLocalStorage holds the open unit of work, so background jobs and requests can use the same repositories. */
@Injectable()
export class Database extends UnitOfWork {
  readonly identity: DatabaseIdentity;

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly replica?: ReplicaReads,
  ) {
    super();
    this.identity = databaseIdentityOf(dataSource);
  }

  /**
   * Runs one prepared statement. Converts column names to camelCase, `numeric` (smallest units) to bigint, `bigint`
   * to a number and `timestamptz` to a Date. @throws RangeError for a `bigint` beyond 2^53, SyntaxError for a
   * `numeric` with a fraction, WritingStopped
   */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { writes } = cachedSqlStatement(text);
    if (writes !== 'never') this.identity.requireWriting();
    const unit = openUnit();
    if (unit !== undefined) return this.sendStatement<Row>(unit.client, text, values);
    const request = currentReadAfterWriteContext();
    if (request === undefined) return this.sendStatement<Row>(this.pool, text, values);
    // The transaction id of the write must be read before the commit, so this statement needs a unit of work.
    if (writes === 'in_unknown') return this.run(() => this.query<Row>(text, values));
    const rows = await this.sendStatement<Row>(this.pool, text, values);
    const { writingTransactionId } = (rows[0] ?? {}) as WritingTransaction;
    if (writingTransactionId) request.wrote(BigInt(writingTransactionId));
    return rows;
  }

  /**
   * Like `query`, but on the replica if it is recent enough (docs/decisions/0046-read-replicas.md). Never use it for
   * decisions or cached values.
   */
  async queryReplica<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.replica === undefined || openUnit() !== undefined) return this.query<Row>(text, values);
    return this.replica.read(
      (client) => this.sendStatement<Row>(client, text, values),
      () => this.query<Row>(text, values),
    );
  }

  private async sendStatement<Row extends object>(
    runner: Pool | PoolClient,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    const statement = toArrayQuery(text, values);
    if (tracing() === undefined) return toRowObjects<Row>(await runner.query(statement));
    return runTracedInOpenSpan(traceSpanOfSql(text), async () =>
      toRowObjects<Row>(await runner.query(statement)),
    );
  }

  async rows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
    return (await (openUnit()?.client ?? this.pool).query<Record<string, unknown>>(text, values)).rows;
  }

  /** For writes that belong together, and for row locks. @throws Error outside a unit of work */
  async queryInTransaction<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.requireOpenUnit();
    return this.query<Row>(text, values);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (openUnit() !== undefined) return work();
    return runTracedInOpenSpan({ name: 'transaction', kind: 'internal' }, () =>
      this.runInNewTransaction(work),
    );
  }

  private async runInNewTransaction<T>(work: () => Promise<T>): Promise<T> {
    this.identity.requireWriting();
    const runner = this.dataSource.createQueryRunner();
    let unit: OpenUnitOfWork | undefined;
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      unit = { client, afterCommit: [], ended: false, rolledBack: false };
      const result = await currentUnit.run(unit, work);
      unit.ended = true;
      if (unit.rolledBack) return result;
      this.identity.requireWriting();
      const request = currentReadAfterWriteContext();
      const written =
        request &&
        (await this.sendStatement<WritingTransaction>(client, SELECT_WRITING_TRANSACTION, []))[0]!
          .writingTransactionId;
      await runner.commitTransaction();
      if (written) request.wrote(BigInt(written));
      for (const hook of unit.afterCommit) hook();
      return result;
    } catch (error) {
      if (unit !== undefined) unit.ended = true;
      // Ending the client during its query closes the connection immediately, so the rollback fails fast.
      if (isQueryTimeout(error)) unit?.client.end().catch(() => undefined);
      throw error;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }

  rollBackAtEnd(): void {
    this.requireOpenUnit().rolledBack = true;
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const unit = this.requireOpenUnit();
    const hooks = unit.afterCommit.length;
    await unit.client.query('SAVEPOINT part');
    try {
      const result = await work();
      await unit.client.query('RELEASE SAVEPOINT part');
      return result;
    } catch (error) {
      // An outer savepoint has the same name, so its rollback would stop at this one unless it is released.
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

  /** Registers a function to call after the open unit of work commits. It is not called after a rollback. */
  afterCommit(hook: () => void): void {
    this.requireOpenUnit().afterCommit.push(hook);
  }

  whenCommitted(hook: () => void): void {
    const unit = openUnit();
    if (unit === undefined) hook();
    else unit.afterCommit.push(hook);
  }

  connectionCounts(): { total: number; idle: number; waiting: number; most: number } {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  private requireOpenUnit(): OpenUnitOfWork {
    const unit = openUnit();
    if (unit === undefined) throw new Error('This write must run inside a unit of work.');
    return unit;
  }

  private get pool(): Pool {
    return connectionPoolOf(this.dataSource);
  }
}
