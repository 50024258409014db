import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { ringOfFixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import { IdentitySettings } from '../../identity-settings.js';
import { AuthenticationAttempts } from './authentication-attempts.js';

const limits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 1,
  deviceCreationsPerMinute: 1,
};
const settings = new IdentitySettings(
  'development',
  ringOfFixedKeys<KeyRingEntry>({ id: 'a', secret: Buffer.alloc(32) }),
  'test',
  'test/development',
  limits,
);

let platform: TestPlatform;
/** Two service processes, each with its own database connections. */
let replicas: [AuthenticationAttempts, AuthenticationAttempts];
let other: DataSource;

beforeAll(async () => {
  platform = await openTestDatabase();
  const options = { poolSize: 10, applicationName: 'replica', onPoolError: () => undefined };
  other = await createDataSource({ databaseUrl: platform.url, ...options }).initialize();
});
afterAll(async () => {
  await other.destroy();
  await platform.close();
});
beforeEach(async () => {
  replicas = [
    new AuthenticationAttempts(platform.database, settings),
    new AuthenticationAttempts(new Database(other), settings),
  ];
  await platform.database.query('TRUNCATE identity.exchange_attempts');
});

/** @returns 0 if the attempt was allowed, else the seconds to wait */
async function waitOf(taking: Promise<unknown>): Promise<number> {
  try {
    await taking;
    return 0;
  } catch (error) {
    if (error instanceof RateLimited) return error.retryAfterSeconds;
    throw error;
  }
}

const together = (count: number, take: (replica: AuthenticationAttempts) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => waitOf(take(replicas[n % 2]!))));

const allowed = (waits: number[]) => waits.filter((wait) => wait === 0).length;

const of = (name: string): CallerAddressRanges => [{ name, share: 1 }];
const KEY = 'svc.dev.x';
const CALLER = of('203.0.113.7');

describe('The counter of token exchanges', () => {
  it('counts concurrent exchanges on two replicas exactly', async () => {
    const tokens = await together(200, (replica) => replica.countTokenExchange(KEY, CALLER));
    const failed = await together(50, (replica) => replica.countFailedTokenExchange(KEY, CALLER));

    expect([allowed(tokens), allowed(failed)]).toEqual([60, 10]);
    expect(Math.max(...tokens)).toBeLessThanOrEqual(60);
    expect(Math.min(...tokens.filter((wait) => wait > 0))).toBeGreaterThanOrEqual(30);
  });

  it('returns the remaining number and time of the narrowest range, and names the limit that is exceeded', async () => {
    const [first, second] = replicas;
    const before = await first.countTokenExchange(KEY, [...CALLER, { name: '203.0.0.0/16', share: 4 }]);
    await platform.advance(20);
    const after = await second.countTokenExchange(KEY, CALLER);
    await together(58, (replica) => replica.countTokenExchange(KEY, CALLER));

    expect([before, after]).toMatchObject([
      { left: 59, seconds: 60 },
      { left: 58, seconds: 40 },
    ]);
    await expect(first.countTokenExchange(KEY, CALLER)).rejects.toMatchObject({
      policy: { name: 'token', quota: 60, seconds: 60 },
    });
    await together(10, (replica) => replica.countFailedTokenExchange(KEY, CALLER));
    await expect(second.countFailedTokenExchange(KEY, CALLER)).rejects.toMatchObject({
      policy: { name: 'failed-token', quota: 10, seconds: 60 },
    });
  });

  it('counts for a minute from the first exchange and then starts again, on both replicas', async () => {
    await together(60, (replica) => replica.countTokenExchange(KEY, CALLER));
    await platform.advance(40);
    // A new instance, because the two replicas cache the refusal for a second.
    const late = await waitOf(
      new AuthenticationAttempts(platform.database, settings).countTokenExchange(KEY, CALLER),
    );

    await platform.advance(20);
    const after = await together(100, (replica) => replica.countTokenExchange(KEY, CALLER));

    expect(late).toBeLessThanOrEqual(20);
    expect(late).toBeGreaterThan(0);
    expect(allowed(after)).toBe(60);
  });

  it('counts each address separately, and failures also by key, so that no caller locks out another', async () => {
    await together(11, (replica) => replica.countFailedTokenExchange(KEY, CALLER));
    const [replica] = replicas;
    const failure = (key: string, caller: CallerAddressRanges) =>
      waitOf(replica.countFailedTokenExchange(key, caller));

    expect(await failure(KEY, CALLER)).toBeGreaterThan(0);
    expect(await failure(KEY, of('203.0.113.8'))).toBe(0);
    expect(await failure('svc.dev.y', CALLER)).toBe(0);
    expect(await waitOf(replica.countTokenExchange(KEY, CALLER))).toBe(0);
  });

  it('stores no unknown keys beyond the limit of an address', async () => {
    const [replica] = replicas;
    for (let n = 0; n < 80; n += 1) await waitOf(replica.countFailedTokenExchange(`svc.dev.${n}`, CALLER));

    // One row for the IP address, and one for each of the 60 keys.
    expect(await platform.database.query('SELECT FROM identity.exchange_attempts')).toHaveLength(61);
  });

  it('is removed once its minute is over', async () => {
    const [replica] = replicas;
    await replica.countTokenExchange(KEY, CALLER);
    await platform.advance(59);
    await replica.countTokenExchange(KEY, of('203.0.113.8'));
    await replica.prune();
    const kept = await platform.database.query('SELECT FROM identity.exchange_attempts');

    await platform.advance(1);
    await replica.prune();

    expect(kept).toHaveLength(2);
    expect(await platform.database.query('SELECT FROM identity.exchange_attempts')).toHaveLength(1);
  });
});

describe('The counter of pairing attempts', () => {
  it('allows 1,000 attempts a minute in total beyond the limits of single addresses', async () => {
    const waits = await together(1_010, (replica) => replica.countPairingAgainstSharedLimit());

    expect(allowed(waits)).toBe(1_000);
  });

  it('does not count a successful attempt against the caller', async () => {
    const caller = [
      { name: '2001:db8:1:2::/64', share: 1 },
      { name: '2001:db8:1::/48', share: 16 },
    ] as const;
    await replicas[0].countPairing(caller);

    await replicas[1].uncountPairing(caller);

    expect(await platform.database.query('SELECT FROM identity.exchange_attempts')).toEqual([]);
  });
});
