import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { grantServiceRole } from '#app/grant-service-role.js';
import { createDataSource } from '#shared/platform/database/data-source.js';

/** A role of its own that owns nothing of a test's database, and may do what the service needs. */
export async function serviceRole(databaseUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const role = `service_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await onServer(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  const onPoolError = () => undefined;
  const owner = createDataSource({ databaseUrl, poolSize: 1, applicationName: 'test', onPoolError });
  await owner.initialize();
  await grantServiceRole(owner, role).finally(() => owner.destroy());
  const url = new URL(databaseUrl);
  [url.username, url.password] = [role, password];
  return { url: url.href, drop: () => onServer(`DROP ROLE ${role}`) };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_SERVER_URL'] });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
