import { DataSource } from 'typeorm';

export interface DataSourceSettings {
  readonly databaseUrl: string;
  /** Most connections this process may hold. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly onPoolError: (error: unknown) => void;
  /** `none` for migrations and the operator's commands, which may take as long as they need. */
  readonly timeouts?: 'none';
}

/**
 * Timeouts lie below 10 s so that a killed process's locks are gone before its claims and leases lapse.
 * `onPoolError` is called for connections that break while idle: without a listener node would exit.
 */
export function createDataSource(settings: DataSourceSettings): DataSource {
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
      idle_in_transaction_session_timeout: settings.timeouts === 'none' ? 0 : 8_000,
      statement_timeout: settings.timeouts === 'none' ? 0 : 8_000,
      // The server's own limits never arrive over a connection that was lost without a word.
      query_timeout: settings.timeouts === 'none' ? 0 : 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    },
  });
}
