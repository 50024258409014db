import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { DatabasePair } from '#test/support/database-pair.js';
import { eventually } from '#test/support/eventually.js';
import { createDataSource, poolOf } from '#shared/platform/database/data-source.js';
import { newId } from '#shared/kernel/ids.js';
import type { KeyUse } from '#shared/kernel/keyed-creation.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { Database } from '#shared/platform/database/database.js';
import { isTransientDatabaseError } from '#shared/platform/database/transient-error.js';

let pair: DatabasePair;
let dataSource: DataSource;
let database: Database;
beforeAll(async () => {
  pair = await DatabasePair.start();
  await pair.sql(0, 'CREATE TABLE notes (text text PRIMARY KEY)');
  const options = { poolSize: 3, applicationName: 'test', onPoolError: () => undefined };
  dataSource = await createDataSource({ databaseUrl: pair.url([0]), ...options }).initialize();
  database = new Database(dataSource);
  await pair.sql(0, `ALTER SYSTEM SET synchronous_standby_names = 'nobody'`, 'postgres');
  await pair.sql(0, 'SELECT pg_reload_conf()');
  await untilCommitsWait();
});
afterAll(async () => {
  await dataSource.destroy();
  await pair.close();
});

const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

/** The server heeds what it was told a moment later; commits before that do not wait. */
async function untilCommitsWait(): Promise<void> {
  for (let n = 0; ; n += 1) {
    let isOver = false;
    const written = note(`probe ${n}`).then(
      () => (isOver = true),
      () => undefined,
    );
    await eventually(async () => isOver || (await pair.sql(0, WAITING)).length === 1);
    if (isOver) continue;
    await cancelWait();
    await written;
    return;
  }
}

async function cancelWait(): Promise<void> {
  await eventually(async () => (await pair.sql(0, WAITING)).length === 1);
  await pair.sql(0, `SELECT pg_cancel_backend(pid) FROM (${WAITING}) AS waiting`);
}

const note = (text: string) => database.query('INSERT INTO notes (text) VALUES ($1)', [text]);

it.each([
  ['of a unit of work', (text: string) => database.run(() => note(text))],
  ['of a statement by itself', note],
])(
  'A commit %s whose wait for its replica is cancelled fails, with an outcome that nobody knows',
  async (text, write) => {
    const written = write(text).then(
      () => 'acknowledged',
      (error: unknown) => error,
    );
    await cancelWait();
    const failure = await written;

    expect(failure).toMatchObject({ code: '08007' });
    expect(isTransientDatabaseError(failure)).toBe(true);
    // It is committed here, and the next failover may take it away.
    expect(await database.query('SELECT FROM notes WHERE text = $1', [text])).toHaveLength(1);
  },
);

it('The limit of a statement does not end the wait', async () => {
  const client = await poolOf(dataSource).connect();
  await client.query(`SET statement_timeout = '200ms'`);
  let isOver = false;
  const written = client
    .query(`INSERT INTO notes (text) VALUES ('limited')`)
    .catch((error: unknown) => error);
  void written.then(() => (isOver = true));
  await eventually(async () => (await pair.sql(0, WAITING)).length === 1);
  await pair.sql(0, 'SELECT pg_sleep(0.5)');
  const wasOver = isOver;
  await cancelWait();

  expect([wasOver, await written]).toEqual([false, expect.objectContaining({ code: '08007' })]);
  client.release();
});

it('An answer under an idempotency key waits for replicas too, as its commit may have no replica', async () => {
  const columns =
    'credential_id uuid, key text, request_digest bytea, execution_id uuid, answer text, held_until timestamptz, created_at timestamptz';
  const [credentialId, executionId] = [newId<string>(), newId<string>()];
  const row = `'${credentialId}', 'order-1', '', '${newId()}', '{}', NULL, now()`;
  await pair.sql(
    0,
    `SET synchronous_commit = local; CREATE SCHEMA platform; CREATE TABLE platform.idempotency_keys (${columns});
     INSERT INTO platform.idempotency_keys VALUES (${row})`,
  );
  const found = new IdempotencyKeys(database)
    .find({ credentialId, key: 'order-1', executionId, at: new Date() } as unknown as KeyUse)
    .catch((error: unknown) => error);
  await cancelWait();

  expect(await found).toMatchObject({ code: '08007' });
});
