import { createHash } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase } from './test-database.js';

/** Of the service's tables, those that were ever written to. */
export const TABLES_WITH_PAGES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema$)' AND pg_relation_size(c.oid) > 0`;

/** Changes with every change of the schema, and with statistics: neither is undone by deleting rows. */
const SCHEMA_PRINT = `
  SELECT concat_ws(' ',
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_class WHERE relnamespace <> 'pg_toast'::regnamespace),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_attribute),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_trigger),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_constraint),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_proc),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_rewrite),
    (SELECT count(*) || ' ' || sum(xmin::text::bigint) FROM pg_db_role_setting),
    (SELECT count(*) FROM pg_statistic s JOIN pg_class c ON c.oid = s.starelid
      WHERE c.relnamespace <> 'pg_catalog'::regnamespace)) AS print`;

/** Of the connections that a database keeps from test to test. */
const KEEPERS = 'emptied-databases';

/** A table that has grown beyond this is not worth emptying: what was deleted slows whoever comes next. */
const MOST_BYTES = 2_000_000;

/** A migrated, empty database, and a connection to it that has looked at every table before. */
export interface EmptiedDatabase {
  readonly url: string;
  query(text: string): Promise<object[]>;
  /** Ends what is still connected, and keeps it for the next test of this file. @param isWhole no table was tampered with */
  giveBack(isWhole: boolean): Promise<void>;
}

interface Kept {
  readonly url: string;
  readonly client: pg.Client;
  /** Another one, since a change of `session_replication_role` forgets all plans. */
  readonly emptier: pg.Client;
  readonly print: string;
  drop(): Promise<void>;
}

const kept: Kept[] = [];
/** Worlds of a whole file may be closed after this file's databases were dropped. */
let hasEnded = false;

/** One that an earlier test of this file gave back, or else a new one: to empty one takes a third of the time of a copy. */
export async function takeEmptiedDatabase(): Promise<EmptiedDatabase> {
  const database = kept.pop() ?? (await create());
  const { url, client } = database;
  return {
    url,
    async query(text) {
      try {
        return (await client.query<object>({ name: digest(text), text })).rows;
      } catch {
        // A test that ends connections has ended this one too.
        const another = await connect(url);
        return (await another.query<object>(text).finally(() => another.end())).rows;
      }
    },
    async giveBack(isWhole) {
      if (!hasEnded && isWhole && (await isEmptied(database).catch(() => false))) kept.push(database);
      else await discard(database);
    },
  };
}

/** At the end of a file. */
export async function dropEmptiedDatabases(): Promise<void> {
  hasEnded = true;
  await Promise.all(kept.splice(0).map(discard));
}

async function create(): Promise<Kept> {
  const { url, drop } = await createTestDatabase();
  const [client, emptier] = await Promise.all([connect(url), connect(url)]);
  await client.query('SET plan_cache_mode = force_generic_plan');
  await emptier.query('SET session_replication_role = replica');
  return { url, client, emptier, drop, print: await schemaPrint(emptier) };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: KEEPERS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function discard({ client, emptier, drop }: Kept): Promise<void> {
  await Promise.allSettled([client.end(), emptier.end()]);
  await drop();
}

/** The same questions are asked after every test: each is planned once. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function schemaPrint(client: pg.Client): Promise<string> {
  return (await client.query<{ print: string }>(SCHEMA_PRINT)).rows[0]!.print;
}

/** @returns false where it is not as it was at first */
async function isEmptied({ emptier, print }: Kept): Promise<boolean> {
  await emptier.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name <> '${KEEPERS}'`);
  if ((await schemaPrint(emptier)) !== print) return false;
  const { rows: written } = await emptier.query<{ name: string; bytes: string }>(
    `SELECT name, pg_relation_size(name::regclass) AS bytes FROM (${TABLES_WITH_PAGES}) t`,
  );
  if (written.some(({ bytes }) => Number(bytes) > MOST_BYTES)) return false;
  const first = JSON.parse(process.env['TEST_FIRST_ROWS'] ?? '{}') as Record<string, object[]>;
  await emptier.query(`
    ${written.map(({ name }) => `DELETE FROM ${name};`).join(' ')}
    ${Object.entries(first)
      .map(([name, rows]) => insertion(name, rows))
      .join(' ')}
    SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;`);
  return true;
}

function insertion(table: string, rows: readonly object[]): string {
  const json = pg.escapeLiteral(JSON.stringify(rows));
  return `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${json});`;
}
