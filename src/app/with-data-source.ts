import type { DataSource } from 'typeorm';
import { createDataSource } from '#shared/platform/database/data-source.js';

interface ConnectionOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly applicationName: string;
  readonly prepare?: (dataSource: DataSource) => void;
}

/** No statement timeouts. */
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
