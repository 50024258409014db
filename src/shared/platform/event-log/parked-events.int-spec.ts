import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { openRecordingSubscriber, line, type OpenNotebook } from './testing/open-recording-subscriber.js';

let log: OpenNotebook;
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['error', 'warn', 'log']));
beforeEach(async () => {
  log = await openRecordingSubscriber();
  log.notebook.refuses = (text) => text.includes('bad');
});
afterEach(() => log.close(['nothing-is-parked']));

describe('An event that cannot be applied', () => {
  const [bad, good] = [newId(), newId()];
  it('is parked with all later ones of its aggregate, while the others go on', async () => {
    await log.write(
      line('1 first', bad),
      line('2 bad', bad),
      line('3', good),
      line('4 behind', bad),
      line('5', good),
    );
    await log.hearAll();
    await log.write(line('6 later', bad), line('7', good));
    await log.hearAll();

    expect(await log.noted()).toEqual(['1 first', '3', '5', '7']);
    expect(await log.parked()).toEqual(['2 bad', '4 behind', '6 later']);
  });

  it('is applied in order with those behind it, once it is retried and can be', async () => {
    await log.write(line('1 bad', bad), line('2', bad), line('3', good));
    await log.hearAll();
    await log.write(line('4', bad));
    await log.hearAll();

    const inVain = await log.runner.retryParked();
    log.notebook.refuses = () => false;
    const applied = await log.runner.retryParked();
    await log.write(line('5', bad));
    await log.hearAll();

    expect([inVain, applied]).toEqual([0, 3]);
    expect(await log.noted()).toEqual(['3', '1 bad', '2', '4', '5']);
    expect(await log.parked()).toEqual([]);
  });

  it('that is still bad when retried keeps those behind it waiting', async () => {
    await log.write(line('1 bad', bad), line('2', bad), line('3 bad too', good), line('4', good));
    await log.hearAll();
    log.notebook.refuses = (text) => text === '3 bad too';

    const applied = await log.runner.retryParked();

    expect(applied).toBe(2);
    expect([await log.noted(), await log.parked()]).toEqual([
      ['1 bad', '2'],
      ['3 bad too', '4'],
    ]);
  });

  it('is retried also while a turn of the same subscriber is under way: the operator waits for it', async () => {
    await log.write(line('1 bad', bad));
    await log.hearAll();
    log.notebook.refuses = () => false;
    let locked: () => void;
    const holding = new Promise<void>((resolve) => (locked = resolve));

    const turn = log.platform.database.run(async () => {
      await log.platform.database.write(`SELECT 1 FROM platform.subscriber_positions FOR UPDATE`);
      locked();
      await log.platform.database.query('SELECT pg_sleep(0.2)');
    });
    await holding;
    const applied = await log.runner.retryParked();
    await turn;

    expect(applied).toBe(1);
  });

  it('leaves nothing of its own writes behind', async () => {
    await log.write(line('bad', bad));
    await log.hearAll();

    expect(await log.noted()).toEqual([]);
  });
});
