import type { Queryable } from './server-identity.js';

const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  bytea_output: 'hex',
  DateStyle: 'ISO, MDY',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  extra_float_digits: '1',
  idle_session_timeout: '0',
  IntervalStyle: 'postgres',
  lock_timeout: '0',
  search_path: 'public',
  standard_conforming_strings: 'on',
  TimeZone: 'UTC',
  transaction_timeout: '0',
};

export const DATABASE_SESSION_OPTIONS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ');

const EQUIVALENT_VALUES: Readonly<Record<string, readonly string[]>> = {
  search_path: ['"$user", public'],
  TimeZone: ['Etc/UTC', 'GMT', 'Etc/GMT'],
};

export class DatabaseSessionSettingsError extends Error {
  override readonly name = 'UnsuitableSession';

  constructor(name: string, found: string) {
    super(
      `The database sessions have ${name} = '${found}', but the service needs '${SESSION_SETTINGS[name]}'. A pooler hands on the ` +
        `role's defaults, so run: ALTER ROLE CURRENT_USER SET ${name} TO ${quoteLiteral(SESSION_SETTINGS[name]!)}; then reconnect the pooler.`,
    );
  }
}

/** A connection through a pooler accepts no startup options, so its settings are only checked. */
export async function requireDatabaseSessionSettings(connection: Queryable): Promise<void> {
  const { rows } = await connection.query(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [Object.keys(SESSION_SETTINGS)],
  );
  for (const { name, value } of rows as { name: string; value: string }[]) {
    const accepted = [SESSION_SETTINGS[name]!, ...(EQUIVALENT_VALUES[name] ?? [])];
    if (!accepted.includes(value)) throw new DatabaseSessionSettingsError(name, value);
  }
}

const quoteLiteral = (value: string) =>
  value
    .split(', ')
    .map((each) => `'${each}'`)
    .join(', ');
