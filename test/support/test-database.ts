import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/**
 * A migrated, empty database of its own, in some tens of milliseconds: a copy of the run's template.
 * @param template another one, such as `template0`, which has nothing in it
 */
export async function createTestDatabase(template = process.env['TEST_TEMPLATE']): Promise<TestDatabase> {
  const server = process.env['TEST_SERVER_URL'];
  if (!server || !template) {
    throw new Error(
      'There is no test database: name the file so that a Jest project with a database runs it.',
    );
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
