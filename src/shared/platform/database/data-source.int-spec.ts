import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import {
  createDataSource,
  DATABASE_POOLERS,
  databaseIdentityOf,
  connectionPoolOf,
  type DatabasePooler,
} from './data-source.js';
import { Database } from './database.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

const open = (poolSize: number, pooler: DatabasePooler = 'none') =>
  createDataSource({
    ...{ databaseUrl: platform.url, poolSize, applicationName: 'test', pooler },
    onPoolError: () => undefined,
  }).initialize();

describe('A data source', () => {
  it.each([
    [DATABASE_POOLERS[0], 2, '8s'],
    // A pooler accepts no startup options, so the timeout of the role or server applies.
    [DATABASE_POOLERS[1], 0, '0'],
  ])(
    'has prepared statements and a time limit as its pooler allows: %s, %d, %s',
    async (pooler, count, limit) => {
      const dataSource = await open(2, pooler);
      const database = new Database(dataSource);

      const left = await database.run(async () => {
        await database.queryInTransaction('SELECT $1::integer AS one', [1]);
        return database.queryInTransaction(
          'SELECT current_setting($1) AS limit, count(*)::integer AS count FROM pg_prepared_statements',
          ['statement_timeout'],
        );
      });

      expect(left).toEqual([{ limit, count }]);
      await dataSource.destroy();
    },
  );
});

describe('A database with unusual defaults', () => {
  const DEFAULTS = {
    bytea_output: "'escape'",
    datestyle: "'German, DMY'",
    default_transaction_isolation: "'serializable'",
    default_transaction_read_only: 'on',
    extra_float_digits: '-4',
    intervalstyle: "'iso_8601'",
    lock_timeout: "'1ms'",
    search_path: "'elsewhere'",
    timezone: "'Pacific/Kiritimati'",
  };
  const setAll = async (to: (value: string) => string) => {
    for (const [name, value] of Object.entries(DEFAULTS)) {
      await platform.database.query(
        `ALTER DATABASE ${new URL(platform.url).pathname.slice(1)} ${to(`${name} TO ${value}`)}`,
      );
    }
  };
  beforeAll(() => setAll((assignment) => `SET ${assignment}`));
  afterAll(() => setAll((assignment) => `RESET ${assignment.split(' ')[0]}`));

  it('has the settings that the service needs', async () => {
    const dataSource = await open(1);

    const [row] = await new Database(dataSource).query(
      `SELECT '2030-05-06T07:08:09Z'::timestamptz AS at, ('2030-05-06T23:00:00Z'::timestamptz)::date::text AS day,
         '\\x00ff'::bytea AS bytes, current_setting('transaction_isolation') AS isolation,
         current_setting('transaction_read_only') AS read_only, current_setting('lock_timeout') AS limit`,
    );

    expect(row).toEqual({
      ...{ at: new Date('2030-05-06T07:08:09Z'), day: '2030-05-06', bytes: Buffer.from([0, 255]) },
      ...{ isolation: 'read committed', readOnly: 'off', limit: '0' },
    });
    await dataSource.destroy();
  });

  it('rejects a pooler, and names the statement that corrects the settings', async () => {
    await expect(open(1, 'transaction')).rejects.toThrow(
      /have bytea_output = 'escape', .* ALTER ROLE CURRENT_USER SET bytea_output TO 'hex';/,
    );
  });
});

describe('A connection of a data source', () => {
  it('is taken by transactions from the same pool as by statements', async () => {
    const dataSource = await open(3);
    const pool = connectionPoolOf(dataSource);
    const taken = () => pool.totalCount - pool.idleCount;

    const runner = dataSource.createQueryRunner();
    await runner.connect();
    const during = taken();
    await runner.release();

    expect([pool.options.max, during, taken()]).toEqual([3, 1, 0]);
    await dataSource.destroy();
  });

  it('rejects writes if its server was replaced by a promotion', async () => {
    const dataSource = await open(2);
    const [client, promoted] = [await connectionPoolOf(dataSource).connect(), databaseIdentityOf(dataSource)];
    await client.query('SELECT 1');
    const { systemIdentifier, timeline } = promoted.currentServer();
    await promoted.checkServerIdentity({ systemIdentifier, timeline: timeline + 1 }, client);

    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '08003' });

    client.release(true);
    await expect(connectionPoolOf(dataSource).query('SELECT 1')).rejects.toMatchObject({
      name: 'EarlierTimeline',
    });
    await dataSource.destroy();
  });
});
