import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { HeldTimers } from '#test/support/held-timers.js';
import { BackgroundLoop } from './background-loop.js';

const LONG = 60_000;

let loop: BackgroundLoop;
let timers: HeldTimers;
beforeEach(() => {
  Logger.overrideLogger(false);
  timers = new HeldTimers();
});
afterEach(async () => {
  await loop.stop();
  timers.release();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function started(turn: () => Promise<boolean>, idleMs = LONG): BackgroundLoop {
  loop = new BackgroundLoop({ name: 'loop', idleMs }, turn);
  loop.start();
  return loop;
}

describe('A background loop', () => {
  it('continues immediately while there is more to do, then pauses', async () => {
    let turns = 0;
    started(async () => (turns += 1) < 5);

    await timers.untilAsked(LONG);
    await timers.pass(LONG - 1);
    const paused = turns;
    await timers.pass(1);

    expect([paused, turns, timers.asked]).toEqual([5, 6, [LONG, LONG]]);
  });

  it('pauses briefly for a second after the last iteration that found work', async () => {
    let turns = 0;
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    loop = new BackgroundLoop({ name: 'loop', idleMs: LONG, busyMs: 10 }, async () => (turns += 1) === 1);
    loop.start();
    await timers.untilAsked(10);
    now.mockReturnValue(999);
    await timers.pass(10);
    await timers.untilAsked(10, 2);
    now.mockReturnValue(1_000);
    await timers.pass(10);
    await timers.untilAsked(LONG);
    now.mockRestore();

    expect([turns, timers.asked]).toEqual([4, [10, 10, LONG]]);
  });

  it('continues when it is woken during its pause', async () => {
    let turns = 0;
    started(async () => ((turns += 1), false));
    await timers.untilAsked(LONG);

    loop.wake();

    await timers.until(() => turns === 2);
  });

  it('continues when it is woken during an iteration', async () => {
    let turns = 0;
    let finish: () => void = () => undefined;
    started(async () => {
      turns += 1;
      if (turns === 1) await new Promise<void>((resolve) => (finish = resolve));
      return false;
    });

    loop.wake();
    finish();

    await timers.until(() => turns === 2);
  });

  it('continues after a failed iteration, with a longer pause after each failure', async () => {
    let turns = 0;
    started(async () => {
      turns += 1;
      if (turns < 8) throw new Error('not now');
      return false;
    });

    await timers.untilAsked(200);
    for (let failures = 1; failures < 8; failures += 1) {
      await timers.pass(timers.asked.at(-1)! - 1);
      expect(turns).toBe(failures);
      await timers.pass(1);
    }

    expect(timers.asked).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, LONG]);
  });

  it('logs each new failure once, and the recovery', async () => {
    const lines: unknown[] = [];
    const line = ({ event, err, failures }: Record<string, unknown>) =>
      lines.push([event, err instanceof Error ? err.message : failures]);
    Logger.overrideLogger({ error: line, log: line, warn: line });
    let turns = 0;
    started(async () => {
      turns += 1;
      if (turns < 3) throw new Error('away');
      if (turns === 3) throw new Error('odd');
      return false;
    }, 5);

    await timers.untilAsked(200);
    await timers.pass(200 + 400 + 800 + 5);

    expect(turns).toBe(5);
    expect(lines).toEqual([
      ['background.failed', 'away'],
      ['background.failed', 'odd'],
      ['background.recovered', 3],
    ]);
  });

  it('ignores wake-ups while its iterations fail', async () => {
    let turns = 0;
    started(async () => {
      turns += 1;
      throw new Error('not now');
    });
    await timers.untilAsked(200);

    for (let n = 0; n < 19; n += 1) {
      loop.wake();
      await timers.pass(10);
    }

    expect([turns, timers.asked]).toEqual([1, [200]]);
  });

  it('reports how long its iterations have been failing', async () => {
    let isWell = false;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    started(async () => {
      if (!isWell) throw new Error('away');
      return false;
    });
    await timers.untilAsked(200);
    clock.mockReturnValue(3_000);
    await timers.pass(200);
    clock.mockReturnValue(8_000);
    const failing = BackgroundLoop.secondsFailingByLoop();

    isWell = true;
    await timers.pass(400);
    const well = BackgroundLoop.secondsFailingByLoop();
    await loop.stop();
    clock.mockRestore();

    expect([failing, well]).toEqual([new Map([['loop', 7]]), new Map([['loop', 0]])]);
    expect(BackgroundLoop.secondsFailingByLoop()).toEqual(new Map());
  });

  it('stops after the running iteration', async () => {
    const steps: string[] = [];
    let finish: () => void = () => undefined;
    started(async () => {
      steps.push('turn');
      await new Promise<void>((resolve) => (finish = resolve));
      steps.push('end of turn');
      return true;
    });

    const stopped = loop.stop().then(() => steps.push('stopped'));
    await timers.pass(LONG);
    finish();
    await stopped;
    await timers.pass(LONG);

    expect(steps).toEqual(['turn', 'end of turn', 'stopped']);
  });
});
