import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;

/** A connection that prepares no statement under a name: behind a pooler the next one may be another server's. */
export class UnpreparedClient extends pg.Client {
  override query = ((query: unknown, ...rest: unknown[]) =>
    send.call(this, isNamed(query) ? { ...query, name: undefined } : query, ...rest)) as pg.Client['query'];
}

/** A query object of the driver's own, like a cursor, is sent as it is. */
function isNamed(query: unknown): query is { name: string } {
  return typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);
}

export const DATABASE_POOLERS = ['none', 'transaction'] as const;
export type DatabasePooler = (typeof DATABASE_POOLERS)[number];

export interface DataSourceSettings {
  readonly databaseUrl: string;
  /** Most connections this process may hold. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly onPoolError: (error: unknown) => void;
  /** `none` for migrations and the operator's commands, which may take as long as they need. */
  readonly timeouts?: 'none';
  /** `transaction`: nothing outlives one on a connection, neither statements nor settings. */
  readonly pooler?: DatabasePooler;
}

/**
 * Timeouts lie below 10 s so that a killed process's locks are gone before its claims and leases lapse.
 * Behind a pooler the server's own are those of the role: ALTER ROLE … SET statement_timeout.
 * `onPoolError` is called for connections that break while idle: without a listener node would exit.
 */
export function createDataSource(settings: DataSourceSettings): DataSource {
  const isLimited = settings.timeouts !== 'none';
  const ofServer = {
    idle_in_transaction_session_timeout: isLimited ? 8_000 : 0,
    statement_timeout: isLimited ? 8_000 : 0,
  };
  return new DataSource({
    type: 'postgres',
    url: settings.databaseUrl,
    synchronize: false,
    logging: false,
    poolSize: settings.poolSize,
    applicationName: settings.applicationName,
    poolErrorHandler: settings.onPoolError,
    extra: {
      connectionTimeoutMillis: 5_000,
      ...(settings.pooler === 'transaction' ? { Client: UnpreparedClient } : ofServer),
      // The server's own limits never arrive over a connection that was lost without a word.
      query_timeout: isLimited ? 10_000 : 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    },
  });
}

/**
 * The pool that TypeORM has opened, for statements outside of its transactions: they are prepared under a name, which
 * TypeORM's own `query` cannot ask for. `master` is a public member of TypeORM's driver for PostgreSQL ("Pool for master
 * database"), so an upgrade that takes it away fails to compile, and one that fills it otherwise fails data-source.int-spec.ts.
 */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as PostgresDriver).master as pg.Pool;
}
