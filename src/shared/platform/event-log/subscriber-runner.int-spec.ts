import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { newId } from '../../kernel/ids.js';
import { SubscriberRunner } from './subscriber-runner.js';
import { logSettled } from './testing/log-settled.js';
import {
  openRecordingSubscriber,
  OWNER,
  line,
  type OpenNotebook,
} from './testing/open-recording-subscriber.js';

let log: OpenNotebook;
beforeEach(async () => {
  log = await openRecordingSubscriber();
});
afterEach(() => log.close());

/** Starts a transaction that has appended an event and commits only when told to. */
async function slowWriter(text: string): Promise<{ commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: log.platform.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     VALUES ($1, 'line', $2, $2, $2, now(), $3)`,
    [newId(), OWNER, { text }],
  );
  return {
    async commit() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

describe('The event log', () => {
  it('requires a unit of work, and is rolled back with it', async () => {
    await expect(log.platform.eventLog.append([line('alone')])).rejects.toThrow('unit of work');
    await log.platform.database
      .run(async () => {
        await log.platform.eventLog.append([line('undone')]);
        throw new Error();
      })
      .catch(() => undefined);

    await log.hearAll();

    expect(await log.noted()).toEqual([]);
  });

  it('notifies listeners after the commit only', async () => {
    let woken = 0;
    log.platform.eventLog.onAppended(() => (woken += 1));

    await log.platform.database.run(async () => {
      await log.platform.eventLog.append([line('a')]);
      expect(woken).toBe(0);
    });
    await log.platform.database
      .run(async () => {
        await log.platform.eventLog.append([line('b')]);
        throw new Error();
      })
      .catch(() => undefined);

    expect(woken).toBe(1);
  });

  it.each([
    'UPDATE platform.events SET type = type',
    'DELETE FROM platform.events',
    'TRUNCATE platform.events CASCADE',
  ])('is append-only: rejects %s', async (statement) => {
    await log.write(line('kept'));

    await expect(log.platform.database.query(statement)).rejects.toThrow('append-only');
  });
});

describe('A subscriber', () => {
  it('receives its types of events once, in order, over many batches', async () => {
    const texts = Array.from({ length: 449 }, (_, n) => `${n}`);
    await log.write(line('nothing for us', OWNER, 'shouted'), ...texts.map((text) => line(text)));

    await logSettled(log.platform.database);
    const turns: boolean[] = [];
    do turns.push(await log.runner.applyNextBatch());
    while (turns.at(-1));

    expect(await log.noted()).toEqual(texts);
    expect(turns).toEqual([true, true, false]);
  });

  it('does not skip an event that a slower writer commits late', async () => {
    await log.write(line('early'));
    await logSettled(log.platform.database);
    const slow = await slowWriter('slow');
    await log.write(line('fast'));

    await log.runner.applyNextBatch();
    const before = await log.noted();
    await slow.commit();
    await log.hearAll();

    expect(before).toEqual(['early']);
    expect(await log.noted()).toEqual(['early', 'slow', 'fast']);
  });

  it('receives all events of concurrent writers in order and once, in several processes', async () => {
    const writers = Array.from({ length: 8 }, (_, writer) => writer);
    const runners = [1, 2].map(() => new SubscriberRunner(log.platform.database, log.notebook));
    let writing = true;
    const hearing = runners.map(async (each) => {
      while (writing) await each.applyNextBatch();
    });

    await Promise.all(
      writers.map(async (writer) => {
        for (let n = 0; n < 8; n += 1) {
          await log.platform.database.run(async () => {
            await log.platform.eventLog.append([line(`${writer}:${n}a`)]);
            await log.platform.database.query('SELECT pg_sleep($1)', [((writer * 7 + n) % 5) / 1_000]);
            await log.platform.eventLog.append([line(`${writer}:${n}b`)]);
          });
        }
      }),
    );
    writing = false;
    await Promise.all(hearing);
    await log.hearAll();

    const heard = await log.noted();
    expect(heard).toHaveLength(8 * 8 * 2);
    for (const writer of writers) {
      const own = heard.filter((text) => text.startsWith(`${writer}:`));
      expect(own).toEqual(Array.from({ length: 8 }, (_, n) => [`${writer}:${n}a`, `${writer}:${n}b`]).flat());
    }
  });

  it('has applied nothing if it dies halfway, and receives the events again', async () => {
    await log.write(line('a'), line('b'));
    let die = true;
    const mortal = new SubscriberRunner(log.platform.database, {
      name: log.notebook.name,
      eventTypes: log.notebook.eventTypes,
      async apply(events) {
        await log.notebook.apply(events);
        if (!die) return;
        const [row] = await log.platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
        await log.platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
        await log.platform.database.query('SELECT 1');
      },
    });

    await logSettled(log.platform.database);
    await expect(mortal.applyNextBatch()).rejects.toThrow();
    const afterDeath = [await log.noted(), await log.parked()];
    die = false;
    await log.hearAll(mortal);

    expect(afterDeath).toEqual([[], []]);
    expect(await log.noted()).toEqual(['a', 'b']);
  });
});

describe('An event that cannot be applied', () => {
  beforeEach(() => {
    Logger.overrideLogger(false);
    log.notebook.refuses = (text) => text.includes('bad');
  });
  afterEach(async () => {
    Logger.overrideLogger(['error', 'warn', 'log']);
    await log.platform.database.query('DELETE FROM platform.parked_events');
  });

  const [bad, good] = [newId(), newId()];
  it('is dead-lettered with all later events of its aggregate, while other aggregates continue', async () => {
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

  it('is applied in order with the later ones when its retry succeeds, aggregate by aggregate', async () => {
    await log.write(line('1 bad', bad), line('2', bad), line('3 bad too', good), line('4', good));
    await log.hearAll();

    const inVain = await log.runner.retryDeadLettered();
    log.notebook.refuses = (text) => text === '3 bad too';
    const applied = await log.runner.retryDeadLettered();
    await log.write(line('5', bad));
    await log.hearAll();

    expect([inVain, applied]).toEqual([0, 2]);
    expect([await log.noted(), await log.parked()]).toEqual([
      ['1 bad', '2', '5'],
      ['3 bad too', '4'],
    ]);
  });

  it('is retried after the running iteration of its subscriber', async () => {
    await log.write(line('1 bad', bad));
    await log.hearAll();
    log.notebook.refuses = () => false;
    let locked: () => void;
    const holding = new Promise<void>((resolve) => (locked = resolve));

    const turn = log.platform.database.run(async () => {
      await log.platform.database.queryInTransaction(
        `SELECT 1 FROM platform.subscriber_positions FOR UPDATE`,
      );
      locked();
      await log.platform.database.query('SELECT pg_sleep(0.2)');
    });
    await holding;
    const applied = await log.runner.retryDeadLettered();
    await turn;

    expect(applied).toBe(1);
  });
});
