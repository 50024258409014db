export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Identity of a database server. */
export interface ServerIdentity {
  readonly systemIdentifier: string;
  readonly timeline: number;
}

/**
 * Functions that every role may execute. The name of a WAL file starts with the timeline; a standby writes no WAL.
 */
const IDENTITY_COLUMNS = `(SELECT system_identifier::text FROM pg_control_system()) AS system_identifier,
  CASE WHEN pg_is_in_recovery() THEN NULL
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END::text AS timeline`;

/** For PostgreSQL-compatible databases without WAL (Aurora), which reject these functions. */
const UNKNOWN_IDENTITY_COLUMNS = `'unknown' AS system_identifier, '0' AS timeline`;
const UNSUPPORTED_FUNCTION_STATES = ['0A000', '42501', '42883'];

const READ_ONLY_COLUMN = `current_setting('transaction_read_only') = 'on' AS read_only`;

const columnText = (row: Record<string, unknown>, column: string) => String(row[column]);

export async function readWritableServerIdentity(connection: Queryable): Promise<ServerIdentity | null> {
  const [row] = (await queryWithServerIdentity(connection, READ_ONLY_COLUMN)).rows;
  return row!['read_only'] === true ? null : toServerIdentity(row!);
}

/** @param rest starts with FROM, or is empty @param before a WITH clause */
export async function queryWithServerIdentity(
  connection: Queryable,
  columns: string,
  values: unknown[] = [],
  before = '',
): Promise<{ rows: Record<string, unknown>[] }> {
  try {
    return await connection.query(`${before} SELECT ${IDENTITY_COLUMNS}, ${columns}`, values);
  } catch (error) {
    if (!UNSUPPORTED_FUNCTION_STATES.includes(String((error as { code?: unknown }).code))) throw error;
    return connection.query(`${before} SELECT ${UNKNOWN_IDENTITY_COLUMNS}, ${columns}`, values);
  }
}

export function toServerIdentity(row: Record<string, unknown>): ServerIdentity {
  return {
    systemIdentifier: columnText(row, 'system_identifier'),
    timeline: Number(columnText(row, 'timeline')),
  };
}

export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.timeline === other.timeline;
}

/** A promotion that this process has seen left the server behind, so writes to it would be lost. */
export class StaleTimelineError extends Error {
  override readonly name = 'EarlierTimeline';
  /** SQLSTATE class for connection failures, because a retry may reach another server. */
  readonly code = '08004';

  constructor(found: ServerIdentity, known: ServerIdentity) {
    super(
      `The database server is on timeline ${found.timeline}, but timeline ${known.timeline} was seen before: ` +
        'another server has been promoted since. Nothing is written to this server. See ' +
        'docs/operating/failover.md.',
    );
  }
}

export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServer';
  readonly code = '25006';

  constructor() {
    super(
      'The database server does not accept writes: no primary was found among the hosts of DATABASE_URL.',
    );
  }
}
