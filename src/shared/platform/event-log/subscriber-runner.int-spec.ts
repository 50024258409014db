import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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

/** A writer that has appended but not committed yet. */
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

describe('Appending to the event log', () => {
  it('belongs inside a unit of work, and is undone with it', async () => {
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

  it('wakes its listeners after the commit, not before, and not when it is undone', async () => {
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
});

describe('A subscriber', () => {
  it('gets its types of events in the order it was appended, each once', async () => {
    await log.write(line('a'), line('b'), line('nothing for us', OWNER, 'shouted'), line('c'));
    await log.write(line('d'));

    await log.hearAll();
    await log.hearAll();

    expect(await log.noted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('that is new hears the log from its beginning, over many batches', async () => {
    const texts = Array.from({ length: 450 }, (_, n) => `${n}`);
    await log.write(...texts.map((text) => line(text)));

    await logSettled(log.platform.database);
    const turns: boolean[] = [];
    do turns.push(await log.runner.turn());
    while (turns.at(-1));

    expect(await log.noted()).toEqual(texts);
    expect(turns).toEqual([true, true, false]);
  });

  it('never skips an event that a slower writer commits late', async () => {
    await log.write(line('early'));
    await logSettled(log.platform.database);
    const slow = await slowWriter('slow');
    await log.write(line('fast'));

    await log.runner.turn();
    const before = await log.noted();
    await slow.commit();
    await log.hearAll();

    expect(before).toEqual(['early']);
    expect(await log.noted()).toEqual(['early', 'slow', 'fast']);
  });

  it('hears all of many concurrent writers, each writer’s in its order', async () => {
    const writers = Array.from({ length: 8 }, (_, writer) => writer);
    let writing = true;
    const hearing = (async () => {
      while (writing) await log.runner.turn();
    })();

    await Promise.all(
      writers.map(async (writer) => {
        for (let n = 0; n < 25; n += 1) {
          await log.platform.database.run(async () => {
            await log.platform.eventLog.append([line(`${writer}:${n}a`)]);
            await log.platform.database.query('SELECT pg_sleep($1)', [((writer * 7 + n) % 5) / 1_000]);
            await log.platform.eventLog.append([line(`${writer}:${n}b`)]);
          });
        }
      }),
    );
    writing = false;
    await hearing;
    await log.hearAll();

    const heard = await log.noted();
    expect(heard).toHaveLength(8 * 25 * 2);
    for (const writer of writers) {
      const own = heard.filter((text) => text.startsWith(`${writer}:`));
      expect(own).toEqual(
        Array.from({ length: 25 }, (_, n) => [`${writer}:${n}a`, `${writer}:${n}b`]).flat(),
      );
    }
  });

  it('run by several processes at once applies each event once', async () => {
    const texts = Array.from({ length: 600 }, (_, n) => `${n}`);
    for (let n = 0; n < texts.length; n += 30)
      await log.write(...texts.slice(n, n + 30).map((text) => line(text)));
    await logSettled(log.platform.database);
    const runners = Array.from(
      { length: 4 },
      () => new SubscriberRunner(log.platform.database, log.notebook),
    );

    await Promise.all(
      runners.map(async (each) => {
        for (let turn = 0; turn < 12; turn += 1) await each.turn();
      }),
    );
    await log.hearAll();

    expect(await log.noted()).toEqual(texts);
  });

  it('that dies in the middle has heard nothing, and hears it again', async () => {
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
    await expect(mortal.turn()).rejects.toThrow();
    const afterDeath = [await log.noted(), await log.parked()];
    die = false;
    await log.hearAll(mortal);

    expect(afterDeath).toEqual([[], []]);
    expect(await log.noted()).toEqual(['a', 'b']);
  });
});
