import type { DataSource } from 'typeorm';
import { createDataSource } from '#shared/platform/database/data-source.js';

interface ConnectionOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** Name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Prepares the data source before its first connection. */
  readonly prepare?: (dataSource: DataSource) => void;
}

/**
 * Opens database connections without statement timeouts, runs `work`, and closes them.
 * @throws an error of the database, or the error of `work`
 */
export async function withDataSource<Result>(
  { prepare, ...settings }: ConnectionOptions,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = createDataSource({ ...settings, timeouts: 'none', onPoolError: () => undefined });
  prepare?.(dataSource);
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
