import type { DataSource } from 'typeorm';
import { createDataSource } from '#shared/platform/database/data-source.js';

interface ConnectionOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** Name of the connections in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Runs before the first connection. */
  readonly prepare?: (dataSource: DataSource) => void;
}

/**
 * Opens connections without time limits, for one command, and closes them after it.
 * @throws the database's error, or the error of `work`
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
