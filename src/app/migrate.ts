import { readdirSync, readFileSync } from 'node:fs';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { oneChangeOfTables } from './one-change-of-tables.js';
import { makeReady } from './event-partitions/make-ready.js';
import { grantServiceRole } from './grant-service-role.js';
import { createDataSource } from '#shared/platform/database/data-source.js';

export const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/**
 * A last partition of the event log that is larger is not divided by `migrate`: it would be read once, and meanwhile the log's
 * subscribers wait. `operator partitions ready` does that at a time of the operator's choice.
 */
const MAX_DIVIDED_BYTES = 256 * 1024 ** 2;

interface MigrationFile {
  readonly folder: URL;
  readonly file: string;
}

/** The hand-written SQL files `<timestamp>-<name>.sql` of these folders, in the order of their timestamps. */
function filesOf(folders: readonly URL[]): MigrationFile[] {
  return folders
    .flatMap((folder) => readdirSync(folder).map((file) => ({ folder, file })))
    .filter(({ file }) => file.endsWith('.sql'))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** The name under which TypeORM records a file: it ends with the timestamp. */
function nameOf({ file }: MigrationFile): string {
  const [timestamp, ...words] = file.replace(/\.sql$/, '').split('-');
  return `${words.join('_')}${timestamp}`;
}

/** One TypeORM migration per file; forward only. */
function migrationOf(migration: MigrationFile): new () => MigrationInterface {
  const name = nameOf(migration);
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

/** The database was made by migrations that the baseline has replaced: no migration leads from them to it. */
export class FormerSchema extends Error {
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

/**
 * The names of the migrations that the database has.
 * @throws FormerSchema
 */
async function recordedMigrations(database: DataSource, known: readonly string[]): Promise<Set<string>> {
  const [{ exists }] = await database.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  const rows: { name: string }[] = exists ? await database.query('SELECT name FROM schema_migrations') : [];
  const recorded = new Set(rows.map(({ name }) => name));
  if (recorded.size > 0 && !recorded.has(known[0]!)) throw new FormerSchema();
  return recorded;
}

/**
 * How many migrations the database has, and the names of those that it lacks.
 * @throws FormerSchema
 */
export async function pendingMigrations(
  databaseUrl: string,
  folders: readonly URL[] = [MIGRATIONS],
): Promise<{ applied: number; pending: string[] }> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 1,
    timeouts: 'none',
    applicationName: 'migrate',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  try {
    const names = filesOf(folders).map(nameOf);
    const applied = await recordedMigrations(dataSource, names);
    return { applied: applied.size, pending: names.filter((name) => !applied.has(name)) };
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Brings a database to this release's schema; safe to call by several processes and again.
 * @param databaseUrl by the role that owns the tables
 * @param folders of the migrations; tests add one with migrations of a later release
 * @param serviceRole by which the service runs, where that is another one: it is granted what it needs
 * @returns the names of the migrations that were applied now
 * @throws FormerSchema, and has then changed nothing
 */
export async function migrate(
  databaseUrl: string,
  folders: readonly URL[] = [MIGRATIONS],
  serviceRole?: string,
): Promise<string[]> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 2,
    timeouts: 'none',
    applicationName: 'migrate',
    onPoolError: () => undefined,
  });
  const files = filesOf(folders);
  dataSource.setOptions({ migrations: files.map(migrationOf), migrationsTableName: 'schema_migrations' });
  await dataSource.initialize();
  try {
    // Two processes that start together must not apply the same migration twice.
    const applied = await oneChangeOfTables(dataSource, async () => {
      await recordedMigrations(dataSource, files.map(nameOf));
      const run = await dataSource.runMigrations({ transaction: 'each' });
      if (serviceRole !== undefined) await grantServiceRole(dataSource, serviceRole);
      // Last: a lock that is refused for a minute leaves the service what it needs. Nothing is granted on partitions.
      if (await isPartitioned(dataSource)) await makeReady(dataSource, MAX_DIVIDED_BYTES);
      return run;
    });
    return applied.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

/** False after migrations of an earlier release alone. */
async function isPartitioned(database: DataSource): Promise<boolean> {
  const [{ found }] = await database.query(
    `SELECT to_regclass('platform.event_partitions') IS NOT NULL AS found`,
  );
  return found as boolean;
}
