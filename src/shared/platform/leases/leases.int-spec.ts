import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import { LeaseLost, LEASE_SECONDS } from './leases.js';

const [one, other] = [newId(), newId()];

/** Interval at which a holder renews its lease. */
const RENEWAL_MS = (LEASE_SECONDS * 1_000) / 3;

let timers: HeldTimers | undefined;
let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(async () => {
  timers?.release();
  await platform.close();
});

/** Makes the lease expire, as if its holder had stopped renewing it. */
async function lapse(): Promise<void> {
  await platform.database.query(
    `UPDATE platform.leases SET expires_at = expires_at - interval '${LEASE_SECONDS + 1} seconds'`,
  );
}

async function hasLapsed(): Promise<boolean> {
  return (
    (await platform.database.query('SELECT FROM platform.leases WHERE expires_at < clock_timestamp()'))
      .length > 0
  );
}

describe('A lease', () => {
  it('is held by the first of many concurrent processes', async () => {
    const epochs = await Promise.all(
      Array.from({ length: 8 }, () => platform.leases.acquire('role', newId())),
    );

    expect(epochs.filter((epoch) => epoch !== null)).toEqual([1n]);
  });

  it('is renewed in its epoch, and taken over in a new epoch after it has lapsed in real time', async () => {
    await platform.leases.acquire('role', one);
    await platform.advance(24 * 3_600);
    expect(await platform.leases.acquire('role', other)).toBeNull();
    await lapse();

    expect(await platform.leases.acquire('role', one)).toBe(1n);
    expect(await platform.leases.acquire('role', other)).toBeNull();
    expect(await platform.leases.acquire('another role', other)).toBe(1n);
    await lapse();
    expect(await platform.leases.acquire('role', other)).toBe(2n);
    expect(await platform.leases.acquire('role', one)).toBeNull();
  });

  it('is kept while its holder works, and no longer', async () => {
    timers = new HeldTimers();
    await platform.leases.acquire('role', one);

    const taken = await platform.leases.keepDuring('role', one, async () => {
      await lapse();
      await timers!.pass(RENEWAL_MS);
      while (await hasLapsed());
      return platform.leases.acquire('role', other);
    });
    await lapse();
    await timers.pass(10 * RENEWAL_MS);

    expect([taken, await platform.leases.acquire('role', other)]).toEqual([null, 2n]);
  });

  it('is not renewed by a holder that has lost it', async () => {
    timers = new HeldTimers();
    await platform.leases.acquire('role', one);
    await lapse();
    await platform.leases.acquire('role', other);

    await platform.leases.keepDuring('role', one, () => timers!.pass(RENEWAL_MS));

    const [row] = await platform.database.query('SELECT holder, epoch FROM platform.leases');
    expect(row).toEqual({ holder: other, epoch: 2 });
  });

  it('is free after its holder, and only its holder, releases it', async () => {
    await platform.leases.acquire('role', one);
    await platform.leases.release('role', other);
    const kept = await platform.leases.acquire('role', other);

    await platform.leases.release('role', one);

    expect([kept, await platform.leases.acquire('role', other)]).toEqual([null, 2n]);
  });
});

describe('A write under a lease', () => {
  it('is rejected with its unit of work if the holder was replaced', async () => {
    const epoch = (await platform.leases.acquire('role', one))!;
    await lapse();
    await platform.leases.acquire('role', other);

    const late = platform.database.run(async () => {
      await platform.database.queryInTransaction(`UPDATE platform.clock_offset SET value = interval '1 day'`);
      await platform.leases.lockUntilCommit('role', epoch);
    });

    await expect(late).rejects.toThrow(LeaseLost);
    const [row] = await platform.database.query<{ moved: boolean }>(
      `SELECT value <> interval '0' AS moved FROM platform.clock_offset`,
    );
    expect(row!.moved).toBe(false);
  });

  it('delays a successor until it is committed', async () => {
    const epoch = (await platform.leases.acquire('role', one))!;
    await lapse();
    const order: string[] = [];
    let protectedNow: () => void;
    const writing = new Promise<void>((resolve) => (protectedNow = resolve));

    const write = platform.database.run(async () => {
      await platform.leases.lockUntilCommit('role', epoch);
      protectedNow();
      await platform.database.query('SELECT pg_sleep(0.2)');
      order.push('written');
    });
    await writing;
    const successor = await platform.leases.acquire('role', other);
    order.push('taken over');
    await write;

    expect([successor, order]).toEqual([2n, ['written', 'taken over']]);
  });

  it('is rejected after a failover until the lease is acquired again', async () => {
    const epoch = (await platform.leases.acquire('role', one))!;
    const lock = () => platform.database.run(() => platform.leases.lockUntilCommit('role', epoch));
    platform.database.identity.resumeWriting();

    await expect(lock()).rejects.toThrow(LeaseLost);
    await platform.leases.acquire('role', one);
    await lock();
  });

  it('is rejected without a lease or a unit of work', async () => {
    await expect(platform.database.run(() => platform.leases.lockUntilCommit('role', 1n))).rejects.toThrow(
      LeaseLost,
    );
    await expect(platform.leases.lockUntilCommit('role', 1n)).rejects.toThrow('unit of work');
  });
});
