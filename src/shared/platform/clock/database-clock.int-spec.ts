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

describe('The clock', () => {
  it.each([0, 3_600])('is the time of the database plus the offset: %d s', async (offset) => {
    await platform.advance(offset);
    const before = await real();
    const now = (await platform.clock.now()).getTime() - offset * 1_000;
    const after = await real();

    expect(now).toBeGreaterThanOrEqual(before.getTime());
    expect(now).toBeLessThanOrEqual(after.getTime());
  });

  it('returns whole milliseconds, and one time during a unit of work', async () => {
    await platform.database.run(async () => {
      const first = await platform.clock.now();
      await platform.database.query('SELECT pg_sleep(0.02)');

      expect(await platform.clock.now()).toEqual(first);
      const [row] = await platform.database.query<{ isWhole: boolean }>(
        `SELECT date_trunc('milliseconds', platform.now()) = platform.now() AS is_whole`,
      );
      expect(row!.isWhole).toBe(true);
    });
  });
});
