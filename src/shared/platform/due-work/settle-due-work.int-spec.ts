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
/** Real time, and for each work until when it is claimed. */
const moments = () =>
  platform.database.query<{ now: Date; until: Date | null }>(
    'SELECT clock_timestamp() AS now, claimed_until AS until FROM platform.due_work',
  );
/** Moves the claims back by so many seconds of real time. */
const passInReal = (seconds: number) =>
  platform.database.query(
    'UPDATE platform.due_work SET claimed_until = claimed_until - make_interval(secs => $1)',
    [seconds],
  );

describe('Claimed work', () => {
  it('that is completed is gone', async () => {
    await schedule(1);
    const [work] = await platform.dueWork.claim('mail', 1);

    const completed = await platform.database.run(() =>
      platform.dueWork.settle('mail', [{ work: work!, again: null }]),
    );

    expect([[...completed], await left()]).toEqual([[work], 0]);
  });

  it('that is put back is due again later, one attempt on', async () => {
    await schedule(1);
    const [work] = await platform.dueWork.claim('mail', 1);
    const later = new Date((await platform.clock.now()).getTime() + 60_000);

    const retried = await platform.database.run(() =>
      platform.dueWork.settle('mail', [{ work: work!, again: later }]),
    );
    const early = await platform.dueWork.claim('mail', 1);
    await platform.advance(61);
    const [again] = await platform.dueWork.claim('mail', 1);

    expect([work!.attempt, [...retried], early, again!.attempt]).toEqual([0, [work], [], 1]);
    expect(again!.claim).not.toBe(work!.claim);
  });

  it('is claimed again after seven seconds of silence, and its first claimant then writes nothing', async () => {
    await schedule(2);
    const [before] = await moments();
    const [done, retried] = await platform.dueWork.claim('mail', 2);
    const after = await moments();
    for (const { now, until } of after) {
      expect(until!.getTime()).toBeGreaterThanOrEqual(before!.now.getTime() + 7_000);
      expect(until!.getTime()).toBeLessThanOrEqual(now.getTime() + 7_000);
    }
    await platform.advance(24 * 3_600);
    const soon = await platform.dueWork.claim('mail', 2);

    await passInReal(7);
    const taken = await platform.dueWork.claim('mail', 2);

    expect(soon).toEqual([]);
    expect(taken).toHaveLength(2);
    const rows = () => platform.database.query('SELECT * FROM platform.due_work ORDER BY key');
    const untouched = await rows();
    const [mine] = taken;
    const outcomes = [done!, retried!, { ...mine!, claim: newId() }].map((work, n) => ({
      work,
      again: n === 0 ? null : new Date(0),
    }));
    const late = await platform.database.run(() => platform.dueWork.settle('mail', outcomes));
    expect(late.size).toBe(0);
    expect(await rows()).toEqual(untouched);
  });

  it('is settled by one statement, each under its own claim', async () => {
    await schedule(30);
    const first = await platform.dueWork.claim('mail', 10);
    const second = await platform.dueWork.claim('mail', 10);
    const again = new Date((await platform.clock.now()).getTime() + 60_000);
    const forged = second.map((work) => ({ work: { ...work, claim: first[0]!.claim }, again: null }));
    const outcomes = first.map((work, n) => ({ work, again: n < 4 ? null : again }));

    const settled = await platform.database.run(() =>
      platform.dueWork.settle('mail', [...forged, ...outcomes]),
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
