import { readdirSync, readFileSync } from 'node:fs';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { createNextPartition } from './event-partitions/make-ready.js';
import { grantServiceRole } from './grant-service-role.js';
import { withDataSource } from './with-data-source.js';

export const MIGRATIONS_FOLDER = new URL('../../migrations/', import.meta.url);

/**
 * Subscribers wait while PostgreSQL scans the last partition. The operator divides a larger one with `operator
 * partitions ready`.
 */
const MAX_DIVIDED_PARTITION_BYTES = 256 * 1024 ** 2;

interface MigrationFile {
  readonly folder: URL;
  readonly file: string;
}

function findMigrationFiles(folders: readonly URL[]): MigrationFile[] {
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => ({ folder, file })))
    .filter(({ file }) => file.endsWith('.sql'))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** TypeORM's name of a migration ends with the timestamp. */
function migrationNameOf({ file }: MigrationFile): string {
  const [timestamp, ...words] = file.replace(/\.sql$/, '').split('-');
  return `${words.join('_')}${timestamp}`;
}

function toTypeOrmMigration(migration: MigrationFile): new () => MigrationInterface {
  const name = migrationNameOf(migration);
  const sql = readFileSync(new URL(migration.file, migration.folder), 'utf8');
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error(
        'Migrations are forward-only. Restore a backup, or write a migration that corrects the error.',
      );
    }
  };
}

export class SchemaBeforeBaselineError extends Error {
  override readonly name = 'FormerSchema';

  constructor() {
    super(
      'The database has a schema that is older than the baseline of migrations, and no migration leads from it ' +
        'to this one. Nothing was changed. In development: `npm run reset` deletes the data of the sandbox, and ' +
        '`npm start` makes a new one. An installation needs an empty database, because nothing was released ' +
        'before the baseline.',
    );
  }
}

async function listAppliedMigrations(database: DataSource, known: readonly string[]): Promise<Set<string>> {
  const [{ exists }] = await database.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  const rows: { name: string }[] = exists ? await database.query('SELECT name FROM schema_migrations') : [];
  const recorded = new Set(rows.map(({ name }) => name));
  if (recorded.size > 0 && !recorded.has(known[0]!)) throw new SchemaBeforeBaselineError();
  return recorded;
}

/** @throws SchemaBeforeBaselineError */
export async function pendingMigrations(
  databaseUrl: string,
  folders: readonly URL[] = [MIGRATIONS_FOLDER],
): Promise<{ applied: number; pending: string[] }> {
  return withDataSource({ databaseUrl, poolSize: 1, applicationName: 'migrate' }, async (dataSource) => {
    const names = findMigrationFiles(folders).map(migrationNameOf);
    const applied = await listAppliedMigrations(dataSource, names);
    return { applied: applied.size, pending: names.filter((name) => !applied.has(name)) };
  });
}

/**
 * Safe to repeat and to run concurrently. @param databaseUrl connects as the owner of the tables @param folders tests
 * add a folder with later migrations @param serviceRole receives grants unless it owns the tables @throws
 * SchemaBeforeBaselineError without having changed anything
 */
export async function migrate(
  databaseUrl: string,
  folders: readonly URL[] = [MIGRATIONS_FOLDER],
  serviceRole?: string,
): Promise<string[]> {
  const files = findMigrationFiles(folders);
  const options = { migrations: files.map(toTypeOrmMigration), migrationsTableName: 'schema_migrations' };
  const connection = {
    ...{ databaseUrl, poolSize: 2, applicationName: 'migrate' },
    prepare: (dataSource: DataSource) => void dataSource.setOptions(options),
  };
  return withDataSource(connection, async (dataSource) => {
    // Two processes that start concurrently must not apply the same migration twice.
    const applied = await withMigrationLock(dataSource, async () => {
      await listAppliedMigrations(dataSource, files.map(migrationNameOf));
      const run = await dataSource.runMigrations({ transaction: 'each' });
      if (serviceRole !== undefined) await grantServiceRole(dataSource, serviceRole);
      // Runs last, because the service can run without a new partition if a lock makes this step fail.
      if (await isEventLogPartitioned(dataSource))
        await createNextPartition(dataSource, MAX_DIVIDED_PARTITION_BYTES);
      return run;
    });
    return applied.map((migration) => migration.name);
  });
}

/** False if only migrations of an earlier release were applied. */
async function isEventLogPartitioned(database: DataSource): Promise<boolean> {
  const [{ found }] = await database.query(
    `SELECT to_regclass('platform.event_partitions') IS NOT NULL AS found`,
  );
  return found as boolean;
}

/** The number must not change, because earlier releases take the same lock. */
const TAKE_MIGRATION_LOCK = 'SELECT pg_advisory_xact_lock(5125780131)';

/**
 * Locks in a transaction, because a session lock would not work with a connection pooler. @param owner pool of at
 * least two connections
 */
export async function withMigrationLock<Result>(
  owner: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = owner.createQueryRunner();
  try {
    await lock.startTransaction();
    await lock.query(TAKE_MIGRATION_LOCK);
    return await work();
  } finally {
    await lock.release();
  }
}
