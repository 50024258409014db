import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { parseDatabaseUrl } from './database-address.js';
import { DatabaseIdentity } from './database-identity.js';
import { serviceClient } from './service-client.js';
import { demandSessionSettings, SESSION_OPTIONS } from './session-settings.js';
import { WritableHost } from './writable-host.js';

export const DATABASE_POOLERS = ['none', 'transaction'] as const;
export type DatabasePooler = (typeof DATABASE_POOLERS)[number];

export interface DataSourceSettings {
  /** One host or several: `parseDatabaseUrl`. */
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
 * @throws Error with the rule that the URL breaks
 */
export function createDataSource(settings: DataSourceSettings): DataSource {
  const isLimited = settings.timeouts !== 'none';
  const isPooled = settings.pooler === 'transaction';
  const sessionOptions = isPooled ? {} : { options: SESSION_OPTIONS };
  const ofServer = {
    ...sessionOptions,
    idle_in_transaction_session_timeout: isLimited ? 8_000 : 0,
    statement_timeout: isLimited ? 8_000 : 0,
  };
  const address = parseDatabaseUrl(settings.databaseUrl);
  const hosts = new WritableHost(address, { application_name: settings.applicationName, ...sessionOptions });
  const identity = new DatabaseIdentity();
  const dataSource = new DataSource({
    type: 'postgres',
    url: address.url,
    synchronize: false,
    logging: false,
    poolSize: settings.poolSize,
    applicationName: settings.applicationName,
    poolErrorHandler: settings.onPoolError,
    extra: {
      connectionTimeoutMillis: 5_000,
      Client: serviceClient({ hosts, identity, prepares: !isPooled }),
      onConnect: async (client: pg.ClientBase) => {
        try {
          if (isPooled) await demandSessionSettings(client);
          await identity.admit(client, address.mustWrite);
        } catch (error) {
          hosts.forget();
          throw error;
        }
      },
      ...(isPooled ? {} : ofServer),
      // The server's own limits never arrive over a connection that was lost without a word.
      query_timeout: isLimited ? 10_000 : 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    },
  });
  identities.set(dataSource, identity);
  return dataSource;
}

const identities = new WeakMap<DataSource, DatabaseIdentity>();

/** The identity that the connections of a data source are compared with. */
export function identityOf(dataSource: DataSource): DatabaseIdentity {
  return identities.get(dataSource) ?? new DatabaseIdentity();
}

/**
 * The pool that TypeORM has opened, for statements outside of its transactions: they are prepared under a name, which
 * TypeORM's own `query` cannot ask for. `master` is a public member of TypeORM's driver for PostgreSQL ("Pool for master
 * database"), so an upgrade that takes it away fails to compile, and one that fills it otherwise fails data-source.int-spec.ts.
 */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as PostgresDriver).master as pg.Pool;
}
