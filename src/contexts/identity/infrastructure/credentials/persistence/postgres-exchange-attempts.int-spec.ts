import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { fixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import type { KeyOfRing } from '#shared/platform/settings/setting-reader.js';
import { IdentitySettings } from '../../identity-settings.js';
import { PostgresExchangeAttempts } from './postgres-exchange-attempts.js';

const limits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 1,
  deviceCreationsPerMinute: 1,
};
const settings = new IdentitySettings(
  'development',
  fixedKeys<KeyOfRing>({ id: 'a', secret: Buffer.alloc(32) }),
  'test',
  'test/development',
  limits,
);

let platform: TestPlatform;
/** Two processes, each with connections of its own. */
let replicas: [PostgresExchangeAttempts, PostgresExchangeAttempts];
let stop: () => Promise<void>;

beforeAll(async () => {
  platform = await openTestDatabase();
  const options = { poolSize: 10, applicationName: 'replica', onPoolError: () => undefined };
  const other = await createDataSource({ databaseUrl: platform.url, ...options }).initialize();
  stop = () => other.destroy();
  replicas = [
    new PostgresExchangeAttempts(platform.database, settings),
    new PostgresExchangeAttempts(new Database(other), settings),
  ];
});
afterAll(async () => {
  await stop();
  await platform.close();
});
beforeEach(async () => void (await platform.database.query('TRUNCATE identity.exchange_attempts')));

/** @returns 0 where it was taken, else the seconds to wait */
async function waitOf(taking: Promise<unknown>): Promise<number> {
  try {
    await taking;
    return 0;
  } catch (error) {
    if (error instanceof RateLimited) return error.retryAfterSeconds;
    throw error;
  }
}

const together = (count: number, take: (replica: PostgresExchangeAttempts) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => waitOf(take(replicas[n % 2]!))));

const allowed = (waits: number[]) => waits.filter((wait) => wait === 0).length;

describe('Token exchanges of a minute', () => {
  it('are counted to the one by two replicas that are asked at once', async () => {
    const all = await together(200, (replica) => replica.take('203.0.113.7'));
    const failed = await together(50, (replica) => replica.takeFailure('svc.dev.x', '203.0.113.7'));

    expect([allowed(all), allowed(failed)]).toEqual([60, 10]);
    expect(Math.max(...all)).toBeLessThanOrEqual(60);
    expect(Math.min(...all.filter((wait) => wait > 0))).toBeGreaterThanOrEqual(30);
  });

  it('say how many are left and until when, by whichever replica, and which limit is used up', async () => {
    const [first, second] = replicas;
    const before = await first.take('203.0.113.7');
    await platform.advance(20);
    const after = await second.take('203.0.113.7');
    await together(58, (replica) => replica.take('203.0.113.7'));

    expect([before, after]).toEqual([
      { left: 59, seconds: 60 },
      { left: 58, seconds: 40 },
    ]);
    await expect(first.take('203.0.113.7')).rejects.toMatchObject({ policy: { name: 'token', quota: 60 } });
    await together(10, (replica) => replica.takeFailure('svc.dev.x', '203.0.113.7'));
    const failing = second.demandFailureLeft('svc.dev.x', '203.0.113.7');
    await expect(failing).rejects.toMatchObject({ policy: { name: 'failed-token', quota: 10, seconds: 60 } });
  });

  it('begin with the first, and anew a minute after it, on both replicas', async () => {
    const [first, second] = replicas;
    await together(60, (replica) => replica.take('203.0.113.7'));
    await platform.advance(40);
    const late = await waitOf(first.take('203.0.113.7'));

    await platform.advance(20);
    const after = await together(100, (replica) => replica.take('203.0.113.7'));

    expect(late).toBeLessThanOrEqual(20);
    expect(late).toBeGreaterThan(0);
    expect(allowed(after)).toBe(60);
    expect(await waitOf(second.take('203.0.113.7'))).toBeGreaterThan(0);
  });

  it('are counted for each address, and failed ones for each key of an address: nobody locks another out', async () => {
    await together(10, (replica) => replica.takeFailure('svc.dev.x', '203.0.113.7'));
    const [replica] = replicas;
    const left = (key: string, address: string) => waitOf(replica.demandFailureLeft(key, address));

    expect(await left('svc.dev.x', '203.0.113.7')).toBeGreaterThan(0);
    expect(await left('svc.dev.x', '203.0.113.8')).toBe(0);
    expect(await left('svc.dev.y', '203.0.113.7')).toBe(0);
    expect(await waitOf(replica.take('203.0.113.7'))).toBe(0);
  });

  it('are removed once their minute is over, and only then', async () => {
    const [replica] = replicas;
    await replica.take('203.0.113.7');
    await platform.advance(59);
    await replica.take('203.0.113.8');
    await replica.prune();
    const kept = await platform.database.query('SELECT FROM identity.exchange_attempts');

    await platform.advance(1);
    await replica.prune();

    expect(kept).toHaveLength(2);
    expect(await platform.database.query('SELECT FROM identity.exchange_attempts')).toHaveLength(1);
  });
});
