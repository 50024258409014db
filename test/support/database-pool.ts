import { createHash } from 'node:crypto';
import pg from 'pg';
import type { InvariantResult } from '#app/verify-invariants.js';
import { brokenInvariants } from './broken-invariants.js';
import { createTestDatabase } from './test-database.js';

/** The tables of the service that were ever written to. */
const TABLES_WITH_PAGES = `
  SELECT name, bytes FROM (
    SELECT format('%I.%I', n.nspname, c.relname) AS name, pg_relation_size(c.oid) AS bytes
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema$)' OFFSET 0) t
  WHERE bytes > 0`;

/**
 * Changes with every change of the schema, and with statistics: neither is undone by deleting rows. Rows are compared by the age of
 * their transaction: a sum over their texts takes ten times as long.
 */
const SCHEMA_PRINT = `
  WITH first AS (SELECT $1::text::xid AS transaction)
  SELECT concat_ws(' ',
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_class
      WHERE relnamespace <> 'pg_toast'::regnamespace),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_attribute),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_trigger),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_constraint),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_proc),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_rewrite),
    (SELECT count(*) || ' ' || count(*) FILTER (WHERE age(xmin) <= age(transaction)) FROM first, pg_db_role_setting),
    (SELECT count(*) FROM pg_statistic s JOIN pg_class c ON c.oid = s.starelid
      WHERE c.relnamespace <> 'pg_catalog'::regnamespace)) AS print`;

const STANDING_CLOCK = `
  DO $$ BEGIN EXECUTE format('CREATE OR REPLACE FUNCTION platform.now() RETURNS timestamptz LANGUAGE sql STABLE AS %L',
    format('SELECT %L::timestamptz + value FROM platform.clock_offset', date_trunc('milliseconds', clock_timestamp()))); END $$`;

/** This application name distinguishes the connections that a database keeps from test to test from those that a test left open. */
const KEEPERS = 'database-pool';
export const TESTS = 'test';

/** A table that has grown beyond this is not worth emptying: its dead rows slow whoever comes next. */
const MAX_BYTES = 2_000_000;
/** A plan for empty tables is kept until a test has added more bytes than this to a table. */
const MAX_PLANNED_BYTES = 100_000;
/** Once an emptied table has more bytes, all grown ones are vacuumed: every scan reads the pages of its dead rows. */
const MAX_UNVACUUMED_BYTES = 160_000;
/** Smaller tables are not worth it. One that is vacuumed costs every plan: those that come soon are vacuumed with those that must. */
const MIN_VACUUMED_BYTES = 10_000;
/** A database is emptied so many times at most, since the catalogs of PostgreSQL keep dead rows too. */
const MAX_TESTS = 100;

/** The service's time of a database: it runs, or stands at the moment when the database was made, unless it is moved. */
export type ServiceTime = 'runs' | 'stands';

export interface Returned {
  readonly broken: readonly InvariantResult[];
  readonly isKept: boolean;
}

interface Kept {
  readonly url: string;
  readonly time: ServiceTime;
  readonly client: pg.Client;
  /** Another one, since a change of `session_replication_role` forgets all plans. */
  readonly emptier: pg.Client;
  /** The first transaction on it, and what its schema was then. */
  readonly first: string;
  readonly print: string;
  tests: number;
  /** Bytes of dead rows in tables, to which the next rows are added. */
  dead: ReadonlyMap<string, number>;
  drop(): Promise<void>;
}

/**
 * Migrated databases for the tests of a whole run, in the process of the run's database server. One that a test leaves with
 * the schema as it was is emptied for the next test, and the connection that checks invariants keeps its plan: to empty one
 * takes a third of the time of a copy, and the plan of all invariants as long as a copy.
 */
export class DatabasePool {
  private readonly empty: Record<ServiceTime, Kept[]> = { runs: [], stands: [] };
  private readonly taken = new Map<string, Kept>();
  private readonly emptying = new Set<Promise<boolean>>();

  /** @param first what a migrated database has in it before anybody writes: rows, by table */
  constructor(private readonly first: Readonly<Record<string, unknown>>) {}

  async take(time: ServiceTime): Promise<string> {
    const database = this.empty[time].pop() ?? (await create(time));
    this.taken.set(database.url, database);
    return database.url;
  }

  /**
   * Checks what a test left behind; then ends what is still connected, and empties it.
   * @param except names of invariants that are not checked, or 'any'
   * @param keeps the borrower goes on using it and its idle connections, if it can be emptied
   */
  async giveBack(url: string, except: readonly string[] | 'any', keeps: boolean): Promise<Returned> {
    const database = this.taken.get(url)!;
    let broken: InvariantResult[] = [];
    let isKept = false;
    try {
      if (except !== 'any') broken = await checked(database, except);
    } finally {
      const emptied = this.keepOrDrop(database, keeps).finally(() => this.emptying.delete(emptied));
      this.emptying.add(emptied);
      if (keeps) isKept = await emptied;
    }
    return { broken, isKept };
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.emptying);
    await Promise.allSettled([...this.empty.runs, ...this.empty.stands, ...this.taken.values()].map(discard));
  }

  private async keepOrDrop(database: Kept, keeps: boolean): Promise<boolean> {
    const isEmpty = await this.isEmptied(database, keeps).catch(() => false);
    const isUsable = isEmpty && (database.tests += 1) < MAX_TESTS;
    if (isUsable && keeps) return true;
    this.taken.delete(database.url);
    if (isUsable) this.empty[database.time].push(database);
    else await discard(database).catch(() => undefined);
    return false;
  }

  private async isEmptied(database: Kept, keeps: boolean): Promise<boolean> {
    const { emptier, first, print } = database;
    const staying = keeps ? `AND NOT (application_name = '${TESTS}' AND state = 'idle')` : '';
    await planned(
      emptier,
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name <> '${KEEPERS}' ${staying}`,
    );
    if ((await schemaPrint(emptier, first)) !== print) return false;
    const written = await tablesWithPages(emptier);
    if (written.some(({ bytes }) => bytes > MAX_BYTES)) return false;
    await emptier.query(`
      ${written.map(({ name }) => `DELETE FROM ${name};`).join(' ')}
      ${Object.entries(this.first)
        .map(([name, rows]) => insertion(name, rows))
        .join(' ')}
      SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;`);
    const isVacuumed = written.some(({ bytes }) => bytes > MAX_UNVACUUMED_BYTES);
    if (isVacuumed) {
      const grown = written.filter(({ bytes }) => bytes > MIN_VACUUMED_BYTES);
      // By a query of its own, since VACUUM runs outside of transactions.
      await emptier.query(`VACUUM ${grown.map(({ name }) => name).join(', ')}`);
    }
    database.dead = new Map(isVacuumed ? [] : written.map(({ name, bytes }) => [name, bytes]));
    return true;
  }
}

/** @returns what a migrated database has in it before anybody writes: rows, by table */
export async function firstRows(databaseUrl: string): Promise<Record<string, unknown>> {
  const client = await connect(databaseUrl);
  try {
    const { rows: tables } = await client.query<{ name: string }>(TABLES_WITH_PAGES);
    const rows: Record<string, unknown> = {};
    for (const { name } of tables) {
      const found = await client.query(`SELECT jsonb_agg(t) AS rows FROM ${name} t`);
      if (found.rows[0].rows !== null) rows[name] = found.rows[0].rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}

async function checked(
  { url, client, emptier, dead }: Kept,
  except: readonly string[],
): Promise<InvariantResult[]> {
  try {
    // A plan that was made for empty tables may take minutes for large ones.
    const tables = await tablesWithPages(emptier);
    const isLarge = tables.some(({ name, bytes }) => bytes - (dead.get(name) ?? 0) > MAX_PLANNED_BYTES);
    const anew = async (text: string) => (await client.query<object>(text)).rows;
    return await brokenInvariants(isLarge ? anew : (text) => planned(client, text), except);
  } catch {
    // A test that ends connections has ended this one too.
    const another = await connect(url);
    const query = async (text: string) => (await another.query<object>(text)).rows;
    return await brokenInvariants(query, except).finally(() => another.end());
  }
}

async function tablesWithPages(client: pg.Client): Promise<{ name: string; bytes: number }[]> {
  const tables = await planned<{ name: string; bytes: string }>(client, TABLES_WITH_PAGES);
  return tables.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

/** The same is asked after every test: it is planned once. */
async function planned<Row extends object>(
  client: pg.Client,
  text: string,
  values: string[] = [],
): Promise<Row[]> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return (await client.query<Row>({ name, text, values })).rows;
}

async function create(time: ServiceTime): Promise<Kept> {
  const { url, drop } = await createTestDatabase();
  const [client, emptier] = await Promise.all([connect(url), connect(url)]);
  if (time === 'stands') await emptier.query(STANDING_CLOCK);
  await client.query('SET plan_cache_mode = force_generic_plan');
  await emptier.query('SET session_replication_role = replica');
  const { rows } = await emptier.query<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id');
  const first = rows[0]!.id;
  const print = await schemaPrint(emptier, first);
  return { url, time, client, emptier, drop, tests: 0, first, print, dead: new Map() };
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

async function schemaPrint(client: pg.Client, first: string): Promise<string> {
  return (await planned<{ print: string }>(client, SCHEMA_PRINT, [first]))[0]!.print;
}

function insertion(table: string, rows: unknown): string {
  const json = pg.escapeLiteral(JSON.stringify(rows));
  return `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, ${json});`;
}
