import pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { parseDatabaseUrl } from './database-address.js';
import { DatabaseIdentity } from './database-identity.js';
import { createPostgresClientClass } from './service-client.js';
import { requireDatabaseSessionSettings, DATABASE_SESSION_OPTIONS } from './session-settings.js';
import { WritableHostFinder } from './writable-host-finder.js';

export const DATABASE_POOLERS = ['none', 'transaction'] as const;
export type DatabasePooler = (typeof DATABASE_POOLERS)[number];

export interface DataSourceSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly applicationName: string;
  readonly onPoolError: (error: unknown) => void;
  /** `none` for migrations and operator commands, whose statements may take any time. */
  readonly timeouts?: 'none';
  /** `transaction`: a pooler that may use another server connection for each transaction. */
  readonly pooler?: DatabasePooler;
}

/**
 * Timeouts are below 10 s, so that a killed process releases its locks before its claims and leases expire.
 * `onPoolError` gets errors of idle connections; without a listener Node would exit.
 */
export function createDataSource(settings: DataSourceSettings): DataSource {
  const isLimited = settings.timeouts !== 'none';
  const isPooled = settings.pooler === 'transaction';
  const sessionOptions = isPooled ? {} : { options: DATABASE_SESSION_OPTIONS };
  const ofServer = {
    ...sessionOptions,
    idle_in_transaction_session_timeout: isLimited ? 8_000 : 0,
    statement_timeout: isLimited ? 8_000 : 0,
  };
  const address = parseDatabaseUrl(settings.databaseUrl);
  const hosts = new WritableHostFinder(address, {
    application_name: settings.applicationName,
    ...sessionOptions,
  });
  const identity = new DatabaseIdentity();
  const dataSource = new DataSource({
    type: 'postgres',
    // TypeORM would look for it in node_modules, which the image does not have.
    driver: pg,
    url: address.url,
    synchronize: false,
    logging: false,
    poolSize: settings.poolSize,
    applicationName: settings.applicationName,
    poolErrorHandler: settings.onPoolError,
    extra: {
      connectionTimeoutMillis: 5_000,
      Client: createPostgresClientClass({ hosts, identity, prepares: !isPooled }),
      onConnect: async (client: pg.ClientBase) => {
        try {
          if (isPooled) await requireDatabaseSessionSettings(client);
          await identity.checkNewConnection(client, address.mustWrite);
        } catch (error) {
          hosts.forgetHost();
          throw error;
        }
      },
      ...(isPooled ? {} : ofServer),
      // Client-side timeout, because the server's timeout error does not arrive if the connection was silently lost.
      query_timeout: isLimited ? 10_000 : 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    },
  });
  identities.set(dataSource, identity);
  return dataSource;
}

const identities = new WeakMap<DataSource, DatabaseIdentity>();

export function databaseIdentityOf(dataSource: DataSource): DatabaseIdentity {
  return identities.get(dataSource) ?? new DatabaseIdentity();
}

/**
 * Returns TypeORM's connection pool. Named prepared statements need it, because TypeORM's `query` does not support
 * them.
 */
export function connectionPoolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as PostgresDriver).master as pg.Pool;
}
