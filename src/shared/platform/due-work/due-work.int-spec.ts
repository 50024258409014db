import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../test/support/open-database.js';
import { newId } from '../../kernel/ids.js';

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

async function schedule(count: number, { lane = newId(), seconds = -1 } = {}): Promise<string[]> {
  const now = await platform.clock.now();
  const items = Array.from({ length: count }, (_, n) => ({
    key: newId(),
    lane,
    dueAt: new Date(now.getTime() + seconds * 1_000 + n),
  }));
  await platform.database.run(() => platform.dueWork.schedule('mail', items));
  return items.map(({ key }) => key);
}

async function left(): Promise<number> {
  return (await platform.database.query('SELECT key FROM platform.due_work')).length;
}

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

    const claimed = await platform.dueWork.claim('mail', 10, [busy]);

    expect(claimed.map(({ lane }) => lane)).toEqual([free, free]);
  });

  it('that is completed is gone', async () => {
    await schedule(1);
    const [work] = await platform.dueWork.claim('mail', 1);

    const completed = await platform.database.run(() => platform.dueWork.complete('mail', work!));

    expect([completed, await left()]).toEqual([true, 0]);
  });

  it('that is put back is due again later, one attempt on', async () => {
    await schedule(1);
    const [work] = await platform.dueWork.claim('mail', 1);
    const later = new Date((await platform.clock.now()).getTime() + 60_000);

    const retried = await platform.database.run(() => platform.dueWork.retry('mail', work!, later));
    const early = await platform.dueWork.claim('mail', 1);
    await platform.advance(61);
    const [again] = await platform.dueWork.claim('mail', 1);

    expect([work!.attempt, retried, early, again!.attempt]).toEqual([0, true, [], 1]);
    expect(again!.claim).not.toBe(work!.claim);
  });

  it('is claimed again after seven seconds of silence, and its first claimant then writes nothing', async () => {
    await schedule(2);
    const [done, retried] = await platform.dueWork.claim('mail', 2);
    await platform.advance(24 * 3_600);
    const soon = await platform.dueWork.claim('mail', 2);

    const began = performance.now();
    let taken = await platform.dueWork.claim('mail', 2);
    while (taken.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      taken = await platform.dueWork.claim('mail', 2);
    }
    const waited = performance.now() - began;

    expect(soon).toEqual([]);
    expect(waited).toBeGreaterThan(5_500);
    expect(waited).toBeLessThan(9_000);
    const rows = () => platform.database.query('SELECT * FROM platform.due_work ORDER BY key');
    const before = await rows();
    const late = await platform.database.run(async () => [
      await platform.dueWork.complete('mail', done!),
      await platform.dueWork.retry('mail', retried!, new Date(0)),
    ]);
    expect(late).toEqual([false, false]);
    expect(await rows()).toEqual(before);
  });
});
