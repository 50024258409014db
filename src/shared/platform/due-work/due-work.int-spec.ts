import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import { scheduleMail, workLeft } from './testing/due-mail.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

const schedule = (...when: [number, { lane?: string; seconds?: number }?]) => scheduleMail(platform, ...when);
const left = () => workLeft(platform);

describe('Due work', () => {
  it('is scheduled in the unit of work that makes it due, or not at all', async () => {
    const item = { key: newId(), lane: newId(), dueAt: new Date(0) };

    await expect(platform.dueWork.schedule('mail', [item])).rejects.toThrow('unit of work');
    await platform.database
      .run(async () => {
        await platform.dueWork.schedule('mail', [item]);
        throw new Error('undone');
      })
      .catch(() => undefined);

    expect(await left()).toBe(0);
  });

  it('is there once, however often it is scheduled', async () => {
    const item = { key: newId(), lane: newId(), dueAt: new Date(0) };
    const again = { ...item, dueAt: new Date('2999-01-01') };

    await platform.database.run(() => platform.dueWork.schedule('mail', [item]));
    await platform.database.run(() => platform.dueWork.schedule('mail', [again]));

    expect((await platform.dueWork.claim('mail', 10)).map(({ key }) => key)).toEqual([item.key]);
  });

  it('is not claimed before its time by the one clock, nor by another kind’s workers', async () => {
    await schedule(1, { seconds: 600 });

    const early = await platform.dueWork.claim('mail', 10);
    await platform.advance(601);

    expect(early).toEqual([]);
    expect(await platform.dueWork.claim('letter', 10)).toEqual([]);
    expect(await platform.dueWork.claim('mail', 10)).toHaveLength(1);
  });

  it('is claimed by one worker alone, however many ask at once', async () => {
    const keys = await schedule(200);

    const claims = await Promise.all(Array.from({ length: 10 }, () => platform.dueWork.claim('mail', 20)));

    const claimed = claims.flat().map(({ key }) => key);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claims.every((claim) => claim.length <= 20)).toBe(true);
    for (;;) {
      const more = await platform.dueWork.claim('mail', 50);
      if (more.length === 0) break;
      claimed.push(...more.map(({ key }) => key));
    }
    expect([...claimed].sort()).toEqual([...keys].sort());
  });

  it('is claimed oldest first, and never more than asked for', async () => {
    const keys = await schedule(30);

    const claimed = await platform.dueWork.claim('mail', 7);

    expect(claimed.map(({ key }) => key).sort()).toEqual(keys.slice(0, 7).sort());
  });

  it('of a busy lane is passed over', async () => {
    const [busy, free] = [newId(), newId()];
    await schedule(3, { lane: busy, seconds: -10 });
    await schedule(2, { lane: free });

    const claimed = await platform.dueWork.claim('mail', 10, { of: new Map([[busy, 0]]), ofOthers: 10 });

    expect(claimed.map(({ lane }) => lane)).toEqual([free, free]);
  });

  it('is claimed of each lane as far as it has room, the oldest first', async () => {
    const [named, other] = [newId(), newId()];
    const keys = [
      ...(await schedule(9, { lane: named })).slice(0, 4),
      ...(await schedule(9, { lane: other })).slice(0, 2),
    ];

    const claimed = await platform.dueWork.claim('mail', 50, { of: new Map([[named, 4]]), ofOthers: 2 });

    expect(claimed.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('of any lane has its turn, however much waits in the lanes before', async () => {
    const lanes = Array.from({ length: 7 }, () => newId<string>());
    for (const lane of lanes) await schedule(40, { lane });
    const seen = new Set<string>();

    for (let n = 0; n < 7; n += 1) {
      const claimed = await platform.dueWork.claim('mail', 4, { of: new Map(), ofOthers: 4 });
      for (const { lane } of claimed) seen.add(lane);
    }

    expect([...seen].sort()).toEqual([...lanes].sort());
  });

  it('is found among thousands of lanes whose time has not come', async () => {
    await platform.database.query(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT 'mail', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, 3000)`,
    );
    const lanes = Array.from({ length: 6 }, () => randomUUID());
    const keys = (await Promise.all(lanes.map((lane) => schedule(1, { lane })))).flat();
    const claimed: string[] = [];

    for (let n = 0; n < 8; n += 1) {
      claimed.push(...(await platform.dueWork.claim('mail', 2)).map(({ key }) => key));
    }

    expect(claimed.sort()).toEqual(keys.sort());
  });

  it('that has just become due is claimed at once among thousands of lanes whose time has not come', async () => {
    await platform.database.query(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT 'mail', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, 3000)`,
    );
    const [last, busy] = ['ffffffff-0000-7000-8000-000000000000', 'ffffffff-0000-7000-8000-000000000001'];
    await schedule(2, { lane: busy });
    const [key] = await schedule(1, { lane: last });

    const claimed = await platform.dueWork.claim('mail', 10, { of: new Map([[busy, 0]]), ofOthers: 2 });

    expect(claimed).toMatchObject([{ key, lane: last, attempt: 0 }]);
    const [row] = await platform.database.query('SELECT claim FROM platform.due_work WHERE key = $1', [
      claimed[0]!.key,
    ]);
    expect(row).toEqual({ claim: claimed[0]!.claim });
  });

  it('costs no more to claim for what waits in a busy lane', async () => {
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

    const claimed = await platform.dueWork.claim('mail', 16, { of: new Map([[busy, 0]]), ofOthers: 2 });

    expect(claimed.map((work) => work.key)).toEqual([key]);
    const read = (await rowsRead()) - before;
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(100);
  });
});
