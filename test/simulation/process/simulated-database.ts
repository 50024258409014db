import pg from 'pg';
import type { Mortal } from './current-process.js';

/**
 * PostgreSQL's clock in this database is the simulation's: the names that the service's statements use are found in this schema
 * before the system's own.
 */
const CLOCK = `
CREATE SCHEMA simulated;
CREATE TABLE simulated.time (now timestamptz NOT NULL) WITH (fillfactor = 50);
CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now FROM simulated.time';
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now FROM simulated.time';
CREATE FUNCTION simulated.fail(state text) RETURNS void LANGUAGE plpgsql AS
  'BEGIN RAISE EXCEPTION ''A simulated fault.'' USING ERRCODE = state; END';
GRANT USAGE ON SCHEMA simulated TO PUBLIC;
GRANT SELECT ON simulated.time TO PUBLIC`;

/** The database of one run, and which process has which connection to it. */
export class SimulatedDatabase {
  private readonly clients = new Map<Mortal, Set<pg.Client>>();
  private lastTime = 0;
  private lastAnswer: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly url: string,
    private readonly admin: pg.Client,
  ) {}

  /** Gives an empty database the simulation's clock, before its migrations. */
  static async prepare(url: string, now: number): Promise<void> {
    const admin = await connect(url);
    await admin.query(CLOCK);
    await admin.query('INSERT INTO simulated.time VALUES ($1)', [new Date(now)]);
    await setUp(admin);
    await admin.end();
  }

  /** @param url a copy of a prepared and migrated database */
  static async open(url: string): Promise<SimulatedDatabase> {
    const admin = await connect(url);
    await setUp(admin);
    return new SimulatedDatabase(url, admin);
  }

  /** Sets PostgreSQL's clock, which never goes back: of two who go on at once, one goes farther. */
  async goTo(now: number): Promise<void> {
    if (now <= this.lastTime) return;
    this.lastTime = now;
    await this.query('UPDATE simulated.time SET now = $1', [new Date(now)]);
  }

  opened(process: Mortal, client: pg.Client): void {
    const clients = this.clients.get(process) ?? new Set();
    this.clients.set(process, clients.add(client));
    client.on('end', () => clients.delete(client));
  }

  async isBlocked(client: pg.Client): Promise<boolean> {
    const [row] = await this.query<{ waits: boolean }>(
      'SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND NOT granted) AS waits',
      [pidOf(client)],
    );
    return row!.waits;
  }

  async abandon(process: Mortal): Promise<void> {
    const clients = [...(this.clients.get(process) ?? [])];
    this.clients.delete(process);
    for (const client of clients) client.on('error', () => undefined);
    await this.terminate(clients.map(pidOf));
    for (const client of clients) client.end().catch(() => undefined);
  }

  async cut(client: pg.Client): Promise<void> {
    await this.terminate([pidOf(client)]);
  }

  async cutAll(): Promise<void> {
    const clients = [...this.clients.values()].flatMap((each) => [...each]).filter((one) => pidOf(one) > 0);
    const ended = clients.map((client) => new Promise((resolve) => client.once('end', resolve)));
    await this.terminate(clients.map(pidOf));
    await Promise.all(ended);
  }

  /** One statement after another, as pg requires of a client. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const answer = this.lastAnswer.then(() => this.admin.query<Row>(text, values));
    this.lastAnswer = answer.catch(() => undefined);
    return (await answer).rows;
  }

  async close(): Promise<void> {
    await this.admin.end();
  }

  private async terminate(pids: readonly number[]): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE pid = ANY($1) AND datname = current_database()`,
      [pids],
    );
  }
}

async function connect(url: string): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: url, application_name: 'simulation' });
  await admin.connect();
  return admin;
}

/** A copy of a database does not have its settings. */
async function setUp(admin: pg.Client): Promise<void> {
  const name = pg.escapeIdentifier(admin.database!);
  await admin.query(`ALTER DATABASE ${name} SET search_path = simulated, pg_catalog, public`);
  await admin.query(`ALTER DATABASE ${name} SET deadlock_timeout = '1ms'`);
}

/** `processID` is the number that the server gives a connection to cancel by (PostgreSQL, message BackendKeyData). */
function pidOf(client: pg.Client): number {
  return (client as unknown as { processID: number | null }).processID ?? 0;
}
