import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';
import type { Environment } from '../settings/environment.js';

/** One connection to DATABASE_URL, for a command that runs beside the service. @throws InvalidSettings, or the database's error */
export async function withDatabase<Result>(
  environment: Environment,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
  reader.finish();
  const dataSource = createDataSource({
    ...{ databaseUrl, poolSize: 1, applicationName: 'operator', timeouts: 'none' },
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
