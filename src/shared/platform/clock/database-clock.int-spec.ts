import { afterEach, beforeEach, expect, it, describe } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

async function real(): Promise<Date> {
  const [row] = await platform.database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return row!.now;
}

describe('The one clock', () => {
  it('is the database’s own as long as nobody moves it', async () => {
    const before = await real();
    const now = await platform.clock.now();
    const after = await real();

    expect(now.getTime()).toBeGreaterThanOrEqual(Math.floor(before.getTime()));
    expect(now.getTime()).toBeLessThanOrEqual(after.getTime());
  });

  it('moves by the offset, for everybody at once', async () => {
    await platform.advance(3_600);

    const before = await real();
    const unmoved = (await platform.clock.now()).getTime() - 3_600_000;
    const after = await real();
    expect(unmoved).toBeGreaterThanOrEqual(before.getTime());
    expect(unmoved).toBeLessThanOrEqual(after.getTime());
  });

  it('stands still inside a unit of work', async () => {
    await platform.database.run(async () => {
      const first = await platform.clock.now();
      await platform.database.query('SELECT pg_sleep(0.02)');

      expect(await platform.clock.now()).toEqual(first);
    });
  });

  it('returns whole milliseconds, which survive a way through a program', async () => {
    const now = await platform.clock.now();

    const [row] = await platform.database.query<{ same: boolean }>(
      `SELECT date_trunc('milliseconds', $1::timestamptz) = $1::timestamptz
         AND date_trunc('milliseconds', platform.now()) = platform.now() AS same`,
      [now],
    );
    expect(row!.same).toBe(true);
  });
});
