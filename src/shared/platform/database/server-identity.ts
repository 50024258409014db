/** A pool, or one of its connections. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Which database this is: a copy has the same system identifier, and a copy that was promoted another timeline. */
export interface ServerIdentity {
  readonly systemIdentifier: string;
  readonly timeline: number;
}

/** Every role may execute these functions. The name of a WAL file begins with its timeline; a standby writes none. */
const IDENTITY = `(SELECT system_identifier::text FROM pg_control_system()) AS system_identifier,
  CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END::text AS timeline`;

/** PostgreSQL's relatives that keep no WAL of their own (Aurora) refuse the functions, and then never change. */
const NO_IDENTITY = `'unknown' AS system_identifier, '0' AS timeline`;
const REFUSED = ['0A000', '42501', '42883'];

const READ_ONLY = `current_setting('transaction_read_only') = 'on' AS read_only`;

const text = (row: Record<string, unknown>, column: string) => String(row[column]);

/** @returns null for a server that takes no writes */
export async function readServer(connection: Queryable): Promise<ServerIdentity | null> {
  const [row] = (await askServer(connection, READ_ONLY)).rows;
  return row!['read_only'] === true ? null : serverOf(row!);
}

/** Asks `columns` beside the identity, in one statement. `rest` begins with FROM, or is empty; `before` is WITH. */
export async function askServer(
  connection: Queryable,
  columns: string,
  values: unknown[] = [],
  before = '',
): Promise<{ rows: Record<string, unknown>[] }> {
  try {
    return await connection.query(`${before} SELECT ${IDENTITY}, ${columns}`, values);
  } catch (error) {
    if (!REFUSED.includes(String((error as { code?: unknown }).code))) throw error;
    return connection.query(`${before} SELECT ${NO_IDENTITY}, ${columns}`, values);
  }
}

export function serverOf(row: Record<string, unknown>): ServerIdentity {
  return { systemIdentifier: text(row, 'system_identifier'), timeline: Number(text(row, 'timeline')) };
}

export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.timeline === other.timeline;
}

/** The server was left behind by a promotion that this process has seen: what is written to it is lost. */
export class EarlierTimeline extends Error {
  override readonly name = 'EarlierTimeline';
  /** PostgreSQL's class of connection failures: another server may be reached by the next try. */
  readonly code = '08004';

  constructor(found: ServerIdentity, known: ServerIdentity) {
    super(
      `The database server is on timeline ${found.timeline}, but timeline ${known.timeline} was seen before: ` +
        'another server has been promoted since. Nothing is written to this server. See ' +
        'docs/operating/failover.md.',
    );
  }
}

/** The server takes no writes. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  readonly code = '25006';

  constructor() {
    super(
      'The database server does not accept writes: no primary was found among the hosts of DATABASE_URL.',
    );
  }
}
