import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { createDataSource, DATABASE_POOLERS, identityOf, poolOf } from './data-source.js';
import { Database } from './database.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

it.each([
  [DATABASE_POOLERS[0], 2, '8s'],
  // The setting of the role or the server.
  [DATABASE_POOLERS[1], 0, '0'],
])(
  'with pooler %s leaves %d prepared statements on a connection, and a limit of %s',
  async (pooler, count, limit) => {
    const dataSource = createDataSource({
      databaseUrl: platform.url,
      poolSize: 2,
      applicationName: 'test',
      pooler,
      onPoolError: () => undefined,
    });
    await dataSource.initialize();
    const database = new Database(dataSource);

    const left = await database.run(async () => {
      await database.write('SELECT $1::integer AS one', [1]);
      return database.write(
        'SELECT current_setting($1) AS limit, count(*)::integer AS count FROM pg_prepared_statements',
        ['statement_timeout'],
      );
    });

    expect(left).toEqual([{ limit, count }]);
    await dataSource.destroy();
  },
);

it('takes the connections of its transactions from the pool that statements go to', async () => {
  const dataSource = createDataSource({
    databaseUrl: platform.url,
    poolSize: 3,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const pool = poolOf(dataSource);
  const taken = () => pool.totalCount - pool.idleCount;

  const runner = dataSource.createQueryRunner();
  await runner.connect();
  const during = taken();
  await runner.release();

  expect([pool.options.max, during, taken()]).toEqual([3, 1, 0]);
  await dataSource.destroy();
});

it('writes nothing on a connection that a promotion has left behind', async () => {
  const dataSource = createDataSource({
    databaseUrl: platform.url,
    poolSize: 2,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const [client, promoted] = [await poolOf(dataSource).connect(), identityOf(dataSource)];
  await client.query('SELECT 1');
  const { systemIdentifier, timeline } = promoted.current();
  await promoted.compare({ systemIdentifier, timeline: timeline + 1 }, client);

  await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '08003' });

  client.release(true);
  await expect(poolOf(dataSource).query('SELECT 1')).rejects.toMatchObject({ name: 'EarlierTimeline' });
  await dataSource.destroy();
});
