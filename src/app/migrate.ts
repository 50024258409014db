import { readdirSync, readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource } from '../shared/platform/database/data-source.js';

const FOLDER = new URL('../../migrations/', import.meta.url);

/** One TypeORM migration per hand-written SQL file `<timestamp>-<name>.sql`; forward only. */
function migrationOf(file: string): new () => MigrationInterface {
  const [timestamp, ...words] = file.replace(/\.sql$/, '').split('-');
  const name = `${words.join('_')}${timestamp}`;
  const sql = readFileSync(new URL(file, FOLDER), 'utf8');
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error(
        'Migrations are forward-only. Restore a backup, or write a migration that puts it right.',
      );
    }
  };
}

/**
 * Brings a database to this release's schema; safe to call by several processes and again.
 * @returns the names of the migrations that were applied now
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 2,
    timeouts: 'none',
    applicationName: 'migrate',
    onPoolError: () => undefined,
  });
  const migrations = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map(migrationOf);
  dataSource.setOptions({ migrations, migrationsTableName: 'schema_migrations' });
  await dataSource.initialize();
  try {
    // Two processes that start together must not apply the same migration twice. The lock belongs to a
    // transaction, not to a session, so that it also holds behind a connection pooler.
    const lock = dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT pg_advisory_xact_lock(5125780131)');
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    await lock.commitTransaction();
    await lock.release();
    return applied.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}
