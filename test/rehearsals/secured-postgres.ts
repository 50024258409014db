import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { Certificate, TestAuthority } from './test-authority.js';

const SERVICE_LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout'];

export type SecuredPostgres = Awaited<ReturnType<typeof startSecuredPostgres>>;

/** A server that takes TLS alone, with the two roles of docs/operating/production.md. */
export async function startSecuredPostgres(folder: string, authority: TestAuthority) {
  const dataDirectory = join(folder, 'postgres');
  const port = await freePort();
  const server = await startEmbeddedPostgres({ dataDirectory, port, durable: true });
  const [owner, service] = [newPassword(), newPassword()];
  const superuser = new pg.Client({ connectionString: server.url('postgres'), ssl: false });
  await superuser.connect();
  await superuser.query(`CREATE ROLE payments_owner LOGIN PASSWORD '${owner}'`);
  await superuser.query(`CREATE ROLE payments_service LOGIN PASSWORD '${service}'`);
  for (const limit of SERVICE_LIMITS)
    await superuser.query(`ALTER ROLE payments_service SET ${limit} = '8s'`);
  await superuser.query('CREATE DATABASE payments OWNER payments_owner');
  await superuser.query(`ALTER SYSTEM SET ssl_cert_file = 'server.pem'`);
  await superuser.query(`ALTER SYSTEM SET ssl_key_file = 'server.key'`);
  await superuser.query('ALTER SYSTEM SET ssl = on');
  putBeside(realpathSync(dataDirectory), authority.issue('postgres'));
  writeFileSync(
    join(realpathSync(dataDirectory), 'pg_hba.conf'),
    'hostssl all all 127.0.0.1/32 scram-sha-256\n',
  );
  await superuser.query('SELECT pg_reload_conf()');
  await superuser.end();
  const tls = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authority.certificate)}`;
  const url = (user: string, password: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/payments?${tls}`;
  const superuserUrl = new URL(server.url('payments'));
  superuserUrl.search = tls;
  const asSuperuser = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: superuserUrl.href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    ...{ port, servicePassword: service, authority: authority.certificate },
    serviceUrl: url('payments_service', service),
    ownerUrl: url('payments_owner', owner),
    plainUrl: `postgres://payments_service:${service}@127.0.0.1:${port}/payments?sslmode=disable`,
    /** Another role with the limits of the first, which may do nothing yet. @returns its way to the database */
    addServiceRole: async (name: string): Promise<string> => {
      const password = newPassword();
      await asSuperuser(
        `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
        ...SERVICE_LIMITS.map((limit) => `ALTER ROLE ${name} SET ${limit} = '8s'`),
      );
      return url(name, password);
    },
    /** The first role signs in no more. */
    closeFirstRole: () => asSuperuser('ALTER ROLE payments_service NOLOGIN'),
    stop: () => server.stop(),
  };
}

/** The server refuses a key that others can read, or that is not its own. */
function putBeside(data: string, { certificate, key }: Certificate): void {
  const { uid, gid } = statSync(data);
  for (const [from, name] of [
    [certificate, 'server.pem'],
    [key, 'server.key'],
  ] as const) {
    copyFileSync(from, join(data, name));
    chownSync(join(data, name), uid, gid);
  }
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
