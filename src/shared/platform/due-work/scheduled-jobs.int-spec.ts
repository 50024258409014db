import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

/** Schedules jobs of kind `mail` one millisecond apart, due in `seconds`. @returns their keys, oldest first */
async function schedule(count: number, { lane = newId(), seconds = -1 } = {}): Promise<string[]> {
  const now = await platform.clock.now();
  const items = Array.from({ length: count }, (_, n) => ({
    key: newId(),
    lane,
    dueAt: new Date(now.getTime() + seconds * 1_000 + n),
  }));
  await platform.database.run(() => platform.scheduledJobs.schedule('mail', items));
  return items.map(({ key }) => key);
}

const left = async () => (await platform.database.query('SELECT key FROM platform.due_work')).length;
/** Returns the current time and, for each job, when its claim expires. */
const moments = () =>
  platform.database.query<{ now: Date; until: Date | null }>(
    'SELECT clock_timestamp() AS now, claimed_until AS until FROM platform.due_work',
  );

describe('Due work', () => {
  it('is scheduled once, in the unit of work that makes it due', async () => {
    const item = { key: newId(), lane: newId(), dueAt: new Date(0) };
    const again = { ...item, dueAt: new Date('2999-01-01') };

    await expect(platform.scheduledJobs.schedule('mail', [item])).rejects.toThrow('unit of work');
    await platform.database
      .run(async () => {
        await platform.scheduledJobs.schedule('mail', [item]);
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await left()).toBe(0);

    await platform.database.run(() => platform.scheduledJobs.schedule('mail', [item]));
    await platform.database.run(() => platform.scheduledJobs.schedule('mail', [again]));
    expect((await platform.scheduledJobs.claim('mail', 10)).map(({ key }) => key)).toEqual([item.key]);
  });

  it('is not claimed before its time or for another kind', async () => {
    await schedule(1, { seconds: 600 });

    const early = await platform.scheduledJobs.claim('mail', 10);
    await platform.advance(601);

    expect(early).toEqual([]);
    expect(await platform.scheduledJobs.claim('letter', 10)).toEqual([]);
    expect(await platform.scheduledJobs.claim('mail', 10)).toHaveLength(1);
  });

  it('is claimed by one of many concurrent workers', async () => {
    const keys = await schedule(200);

    const claims = await Promise.all(
      Array.from({ length: 10 }, () => platform.scheduledJobs.claim('mail', 20)),
    );

    const claimed = claims.flat().map(({ key }) => key);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claims.every((claim) => claim.length <= 20)).toBe(true);
    for (;;) {
      const more = await platform.scheduledJobs.claim('mail', 50);
      if (more.length === 0) break;
      claimed.push(...more.map(({ key }) => key));
    }
    expect([...claimed].sort()).toEqual([...keys].sort());
  });

  it('is claimed in each lane up to its capacity, oldest first', async () => {
    const [busy, named, other] = [newId(), newId(), newId()];
    await schedule(3, { lane: busy, seconds: -10 });
    const keys = [
      ...(await schedule(9, { lane: named })).slice(0, 4),
      ...(await schedule(9, { lane: other })).slice(0, 2),
    ];

    const room = { of: new Map([busy, named].map((lane, n) => [lane, n * 4])), ofOthers: 2 };
    const claimed = await platform.scheduledJobs.claim('mail', 50, room);

    expect(claimed.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('is claimed in every lane, however much waits in the lanes before', async () => {
    const lanes = Array.from({ length: 7 }, () => newId<string>());
    for (const lane of lanes) await schedule(40, { lane });
    const seen = new Set<string>();

    for (let n = 0; n < 7; n += 1) {
      const claimed = await platform.scheduledJobs.claim('mail', 4, { of: new Map(), ofOthers: 4 });
      for (const { lane } of claimed) seen.add(lane);
    }

    expect([...seen].sort()).toEqual([...lanes].sort());
  });

  it('is claimed immediately among thousands of lanes with nothing due', async () => {
    await platform.database.query(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT 'mail', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, 3000)`,
    );
    const [last, busy] = ['ffffffff-0000-7000-8000-000000000000', 'ffffffff-0000-7000-8000-000000000001'];
    await schedule(2, { lane: busy });
    const [key] = await schedule(1, { lane: last });

    const claimed = await platform.scheduledJobs.claim('mail', 10, { of: new Map([[busy, 0]]), ofOthers: 2 });

    expect(claimed).toMatchObject([{ key, lane: last, attempt: 0 }]);
    const rows = await platform.database.query('SELECT FROM platform.due_work WHERE claim = $1', [
      claimed[0]!.claim,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is claimed at a cost that does not depend on the backlog of a busy lane', async () => {
    const [busy, free] = [newId(), newId()];
    await platform.database.query(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT 'mail', gen_random_uuid(), $1, now() - interval '1 day' + n * interval '1 ms' FROM generate_series(1, 50000) n`,
      [busy],
    );
    const [key] = await schedule(1, { lane: free });
    const rowsRead = async () => {
      await platform.database.query('SELECT pg_stat_force_next_flush()');
      const [stats] = await platform.database.query<{ read: number }>(
        `SELECT idx_tup_fetch + seq_tup_read AS read FROM pg_stat_user_tables
         WHERE schemaname = 'platform' AND relname = 'due_work'`,
      );
      return Number(stats!.read);
    };
    const before = await rowsRead();

    const claimed = await platform.scheduledJobs.claim('mail', 16, { of: new Map([[busy, 0]]), ofOthers: 2 });

    expect(claimed.map((work) => work.key)).toEqual([key]);
    const read = (await rowsRead()) - before;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(100);
  });
});

describe('Claimed work', () => {
  it('is due again later with the next attempt number if it is put back', async () => {
    await schedule(1);
    const [work] = await platform.scheduledJobs.claim('mail', 1);
    const later = new Date((await platform.clock.now()).getTime() + 60_000);

    const retried = await platform.database.run(() =>
      platform.scheduledJobs.recordResults('mail', [{ work: work!, again: later }]),
    );
    const early = await platform.scheduledJobs.claim('mail', 1);
    await platform.advance(61);
    const [again] = await platform.scheduledJobs.claim('mail', 1);

    expect([work!.attempt, [...retried], early, again!.attempt]).toEqual([0, [work], [], 1]);
    expect(again!.claim).not.toBe(work!.claim);
  });

  it('is claimed again after seven seconds, and the first claimant can no longer settle it', async () => {
    await schedule(2);
    const [before] = await moments();
    const [done, retried] = await platform.scheduledJobs.claim('mail', 2);
    const after = await moments();
    for (const { now, until } of after) {
      expect(until!.getTime()).toBeGreaterThanOrEqual(before!.now.getTime() + 7_000);
      expect(until!.getTime()).toBeLessThanOrEqual(now.getTime() + 7_000);
    }
    await platform.advance(24 * 3_600);
    const soon = await platform.scheduledJobs.claim('mail', 2);

    await platform.database.query(
      `UPDATE platform.due_work SET claimed_until = claimed_until - interval '7 s'`,
    );
    const taken = await platform.scheduledJobs.claim('mail', 2);

    expect(soon).toEqual([]);
    expect(taken).toHaveLength(2);
    const rows = () => platform.database.query('SELECT * FROM platform.due_work ORDER BY key');
    const untouched = await rows();
    const [mine] = taken;
    const outcomes = [done!, retried!, { ...mine!, claim: newId() }].map((work, n) => ({
      work,
      again: n === 0 ? null : new Date(0),
    }));
    const late = await platform.database.run(() => platform.scheduledJobs.recordResults('mail', outcomes));
    expect(late.size).toBe(0);
    expect(await rows()).toEqual(untouched);
  });

  it('is settled in one statement, each item only under its own claim', async () => {
    await schedule(30);
    const first = await platform.scheduledJobs.claim('mail', 10);
    const second = await platform.scheduledJobs.claim('mail', 10);
    const again = new Date((await platform.clock.now()).getTime() + 60_000);
    const forged = second.map((work) => ({ work: { ...work, claim: first[0]!.claim }, again: null }));
    const outcomes = first.map((work, n) => ({ work, again: n < 4 ? null : again }));

    const settled = await platform.database.run(() =>
      platform.scheduledJobs.recordResults('mail', [...forged, ...outcomes]),
    );

    expect(settled).toEqual(new Set(first));
    expect(await left()).toBe(26);
    const rows = await platform.database.query(
      'SELECT FROM platform.due_work WHERE attempt = 1 AND claim IS NULL AND due_at = $1',
      [again],
    );
    expect(rows).toHaveLength(6);
  });
});
