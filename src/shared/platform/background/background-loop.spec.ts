import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from './background-loop.js';

const LONG = 60_000;

let loop: BackgroundLoop;
beforeEach(() => Logger.overrideLogger(false));
afterEach(async () => {
  await loop.stop();
  Logger.overrideLogger(['error', 'warn', 'log']);
});

function started(turn: () => Promise<boolean>, idleMs = LONG): BackgroundLoop {
  loop = new BackgroundLoop({ name: 'loop', idleMs }, turn);
  loop.start();
  return loop;
}

async function until(condition: () => boolean): Promise<number> {
  const began = performance.now();
  while (!condition()) {
    if (performance.now() - began > 5_000) throw new Error('It did not happen.');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return performance.now() - began;
}

describe('A background loop', () => {
  it('takes turns at once while there is more to do, then pauses', async () => {
    let turns = 0;
    started(async () => (turns += 1) < 5);

    await until(() => turns === 5);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(turns).toBe(5);
  });

  it('looks again after its pause', async () => {
    let turns = 0;
    started(async () => ((turns += 1), false), 5);

    await until(() => turns >= 3);
  });

  it('is woken from its pause', async () => {
    let turns = 0;
    started(async () => ((turns += 1), false));
    await until(() => turns === 1);
    await new Promise((resolve) => setTimeout(resolve, 10));

    loop.wake();

    expect(await until(() => turns === 2)).toBeLessThan(1_000);
  });

  it('takes another turn when it is woken during one', async () => {
    let turns = 0;
    let finish: () => void = () => undefined;
    started(async () => {
      turns += 1;
      if (turns === 1) await new Promise<void>((resolve) => (finish = resolve));
      return false;
    });
    await until(() => turns === 1);

    loop.wake();
    finish();

    expect(await until(() => turns === 2)).toBeLessThan(1_000);
  });

  it('survives a turn that throws, and waits a little longer after each failure', async () => {
    const at: number[] = [];
    started(async () => {
      at.push(performance.now());
      if (at.length < 4) throw new Error('not now');
      return false;
    });

    await until(() => at.length === 4);

    const pauses = at.slice(1).map((time, n) => time - at[n]!);
    expect(pauses[0]).toBeGreaterThan(190);
    expect(pauses[1]).toBeGreaterThan(390);
    expect(pauses[2]).toBeGreaterThan(790);
  });

  it('says once what goes wrong while it lasts, and that it goes on', async () => {
    const lines: string[] = [];
    const line = (text: string) => lines.push(text.split('\n')[0]!);
    Logger.overrideLogger({ error: line, log: line, warn: line });
    let turns = 0;
    started(async () => {
      turns += 1;
      if (turns < 3) throw new Error('away');
      if (turns === 3) throw new Error('odd');
      return false;
    }, 5);

    await until(() => turns >= 6);

    expect(lines).toEqual(['Error: away', 'Error: odd', 'Goes on after 3 failed turns.']);
  });

  it('is not hurried by wake-ups while its turns fail', async () => {
    let turns = 0;
    started(async () => {
      turns += 1;
      throw new Error('not now');
    });
    const began = performance.now();
    await until(() => turns === 1);

    for (let n = 0; n < 20; n += 1) {
      loop.wake();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }

    // However slow the machine is: no turn sooner than a fifth of a second after the one before.
    expect(turns).toBeLessThanOrEqual(1 + (performance.now() - began) / 195);
  });

  it('stops at once from a pause, and otherwise at the end of its turn', async () => {
    let turns = 0;
    let ended = false;
    started(async () => {
      turns += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      ended = true;
      return true;
    });
    await until(() => turns >= 1);

    await loop.stop();
    const turnsAtStop = turns;
    await new Promise((resolve) => setTimeout(resolve, 80));

    expect([ended, turns]).toEqual([true, turnsAtStop]);
  });
});
