import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#test/support/test-database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { explainExcessPrivileges } from './grant-service-role.js';
import { migrate, MIGRATIONS_FOLDER } from './migrate.js';

const role = (kind: string) => `${kind}_${randomBytes(6).toString('hex')}`;
const OWNER = role('owner');
const SERVICE = role('service');
let database: TestDatabase;
let ownerUrl: string;
let serviceUrl: string;
let admin: pg.Client;
let service: pg.Client;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase('template0');
  const as = (name: string) => {
    const url = new URL(database.url);
    url.username = name;
    url.password = 'secret';
    return url.href;
  };
  [ownerUrl, serviceUrl] = [as(OWNER), as(SERVICE)];
  admin = await connected(database.url);
  for (const name of [OWNER, SERVICE]) await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
  await admin.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} OWNER TO ${OWNER}`);
  await admin.query(`GRANT CREATE ON SCHEMA public TO ${OWNER}`);
  await migrate(ownerUrl, [MIGRATIONS_FOLDER], SERVICE);
  service = await connected(serviceUrl);
});
afterAll(async () => {
  await service.end();
  await admin.end();
  await database.drop();
  const server = await connected(process.env['TEST_SERVER_URL']!);
  for (const name of [OWNER, SERVICE]) await server.query(`DROP ROLE ${name}`);
  await server.end();
});

const APPEND_ONLY = [
  'platform.events',
  'platform.seals',
  'platform.operator_actions',
  'identity.audit_log',
  'point_of_sale.settlement_terms',
  'payments.status_history',
  'ledger.transactions',
  'ledger.entries',
  'ledger.status_changes',
  'ledger.settled_transactions',
  'webhooks.events',
];

describe('The database role of the service', () => {
  it.each(APPEND_ONLY)(
    'reads an append-only table, but cannot change, delete, truncate or disarm it: %s',
    async (table) => {
      await service.query(`SELECT 1 FROM ${table} LIMIT 1`);

      for (const attempt of [
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `UPDATE ${table} SET ${await columnOf(table)} = NULL`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `DROP TABLE ${table}`,
      ])
        await expect(service.query(attempt)).rejects.toThrow(/permission denied|must be owner/);
    },
  );

  it('deletes delivery attempts, but cannot truncate them or disable their triggers', async () => {
    for (const attempt of [
      'TRUNCATE webhooks.delivery_attempts',
      'ALTER TABLE webhooks.delivery_attempts DISABLE TRIGGER ALL',
    ])
      await expect(service.query(attempt)).rejects.toThrow(/permission denied|must be owner/);

    // The table is empty, so its row trigger cannot reject this statement.
    await service.query('DELETE FROM webhooks.delivery_attempts');
  });

  it.each([
    'SET session_replication_role = replica',
    `UPDATE platform.clock_offset SET value = interval '1 day'`,
    'CREATE TABLE payments.mine (id integer)',
    `CREATE OR REPLACE FUNCTION platform.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
  ])('lacks the permission for: %s', async (attempt) => {
    await expect(service.query(attempt)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('loses additional privileges when the migration grants its privileges again', async () => {
    const owner = await connected(ownerUrl);
    await owner.query(`GRANT UPDATE ON platform.events TO ${SERVICE}`);
    await owner.end();

    await migrate(ownerUrl, [MIGRATIONS_FOLDER], SERVICE);

    await expect(service.query(`UPDATE platform.events SET type = ''`)).rejects.toThrow('permission denied');
  });

  it('causes no warning, unlike a role that could rewrite the books', async () => {
    const warnings = [];
    for (const databaseUrl of [serviceUrl, ownerUrl, database.url]) {
      const opened = createDataSource({
        databaseUrl,
        poolSize: 1,
        applicationName: 'test',
        onPoolError: () => undefined,
      });
      await opened.initialize();
      warnings.push(await explainExcessPrivileges(opened));
      await opened.destroy();
    }

    expect(warnings).toEqual([null, expect.stringContaining(OWNER), expect.stringContaining('owns')]);
  });
});

async function columnOf(table: string): Promise<string> {
  const { rows } = await admin.query<{ attname: string }>(
    `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attidentity = '' LIMIT 1`,
    [table],
  );
  return rows[0]!.attname;
}
