import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestPlatform } from '../../../../test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import type { PublishedEvent } from '../../kernel/domain-event.js';
import { EventSubscriber } from './event-subscriber.js';
import { SubscriberRunner } from './subscriber-runner.js';
import { logSettled } from './testing/log-settled.js';

const owner = newId();

let platform: TestPlatform;
let notebook: Notebook;
let runner: SubscriberRunner;
let brokenOnPurpose: string[];
beforeEach(async () => {
  platform = await openTestDatabase();
  await platform.database.query(
    `CREATE TABLE public.noted (n bigint GENERATED ALWAYS AS IDENTITY, aggregate uuid, text text)`,
  );
  brokenOnPurpose = [];
  notebook = new Notebook();
  runner = new SubscriberRunner(platform.database, notebook);
  await runner.register();
});
afterEach(() => platform.close(brokenOnPurpose));

/** Writes down what it hears, and refuses what it is told to. */
class Notebook extends EventSubscriber {
  readonly name = 'notebook';
  readonly eventTypes = ['said'];
  refuses: (event: PublishedEvent) => void = () => undefined;

  async apply(events: readonly PublishedEvent[]): Promise<void> {
    for (const event of events) {
      await platform.database.write('INSERT INTO public.noted (aggregate, text) VALUES ($1, $2)', [
        event.aggregateId,
        (event.data as { text: string }).text,
      ]);
      this.refuses(event);
    }
  }
}

function said(text: string, aggregateId: string = owner, type = 'said') {
  const tenant = { organizationId: owner as never, accountId: owner as never };
  return { type, aggregateId, ...tenant, occurredAt: new Date(), data: { text } };
}

async function say(...events: ReturnType<typeof said>[]): Promise<void> {
  await platform.database.run(() => platform.eventLog.append(events));
}

async function hearAll(by = runner): Promise<void> {
  await logSettled(platform.database);
  while (await by.turn());
}

async function noted(): Promise<string[]> {
  const rows = await platform.database.query<{ text: string }>('SELECT text FROM public.noted ORDER BY n');
  return rows.map(({ text }) => text);
}

async function parked(): Promise<string[]> {
  const rows = await platform.database.query<{ text: string }>(
    `SELECT e.data ->> 'text' AS text FROM platform.parked_events p JOIN platform.events e ON e.id = p.event_id
     ORDER BY e.transaction_id, e.position`,
  );
  return rows.map(({ text }) => text);
}

/** A writer that has appended but not committed yet. */
async function slowWriter(text: string): Promise<{ commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: platform.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     VALUES ($1, 'said', $2, $2, $2, now(), $3)`,
    [newId(), owner, { text }],
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
    await expect(platform.eventLog.append([said('alone')])).rejects.toThrow('unit of work');
    await platform.database
      .run(async () => {
        await platform.eventLog.append([said('undone')]);
        throw new Error();
      })
      .catch(() => undefined);

    await hearAll();

    expect(await noted()).toEqual([]);
  });

  it('wakes its listeners after the commit, not before, and not when it is undone', async () => {
    let woken = 0;
    platform.eventLog.onAppended(() => (woken += 1));

    await platform.database.run(async () => {
      await platform.eventLog.append([said('a')]);
      expect(woken).toBe(0);
    });
    await platform.database
      .run(async () => {
        await platform.eventLog.append([said('b')]);
        throw new Error();
      })
      .catch(() => undefined);

    expect(woken).toBe(1);
  });
});

describe('A subscriber', () => {
  it('hears what it wants in the order it was appended, each once', async () => {
    await say(said('a'), said('b'), said('nothing for us', owner, 'shouted'), said('c'));
    await say(said('d'));

    await hearAll();
    await hearAll();

    expect(await noted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('that is new hears the log from its beginning, over many batches', async () => {
    const texts = Array.from({ length: 450 }, (_, n) => `${n}`);
    await say(...texts.map((text) => said(text)));

    await logSettled(platform.database);
    const turns: boolean[] = [];
    do turns.push(await runner.turn());
    while (turns.at(-1));

    expect(await noted()).toEqual(texts);
    expect(turns).toEqual([true, true, false]);
  });

  it('never skips an event that a slower writer commits late', async () => {
    const slow = await slowWriter('slow');
    await say(said('fast'));

    await runner.turn();
    const before = await noted();
    await slow.commit();
    await hearAll();

    expect(before).toEqual([]);
    expect(await noted()).toEqual(['slow', 'fast']);
  });

  it('hears all of many concurrent writers, each writer’s in its order', async () => {
    const writers = Array.from({ length: 8 }, (_, writer) => writer);
    let writing = true;
    const hearing = (async () => {
      while (writing) await runner.turn();
    })();

    await Promise.all(
      writers.map(async (writer) => {
        for (let n = 0; n < 25; n += 1) {
          await platform.database.run(async () => {
            await platform.eventLog.append([said(`${writer}:${n}a`)]);
            await platform.database.query('SELECT pg_sleep($1)', [((writer * 7 + n) % 5) / 1_000]);
            await platform.eventLog.append([said(`${writer}:${n}b`)]);
          });
        }
      }),
    );
    writing = false;
    await hearing;
    await hearAll();

    const heard = await noted();
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
    for (let n = 0; n < texts.length; n += 30) await say(...texts.slice(n, n + 30).map((text) => said(text)));
    await logSettled(platform.database);
    const runners = Array.from({ length: 4 }, () => new SubscriberRunner(platform.database, notebook));

    await Promise.all(
      runners.map(async (each) => {
        for (let turn = 0; turn < 12; turn += 1) await each.turn();
      }),
    );
    await hearAll();

    expect(await noted()).toEqual(texts);
  });

  it('that dies in the middle has heard nothing, and hears it again', async () => {
    await say(said('a'), said('b'));
    let die = true;
    const mortal = new SubscriberRunner(platform.database, {
      name: notebook.name,
      eventTypes: notebook.eventTypes,
      async apply(events) {
        await notebook.apply(events);
        if (!die) return;
        const [row] = await platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
        await platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
        await platform.database.query('SELECT 1');
      },
    });

    await logSettled(platform.database);
    await expect(mortal.turn()).rejects.toThrow();
    const afterDeath = [await noted(), await parked()];
    die = false;
    await hearAll(mortal);

    expect(afterDeath).toEqual([[], []]);
    expect(await noted()).toEqual(['a', 'b']);
  });
});

describe('An event that cannot be applied', () => {
  const [bad, good] = [newId(), newId()];
  beforeEach(() => {
    brokenOnPurpose = ['nothing-is-parked'];
    notebook.refuses = (event) => {
      if ((event.data as { text: string }).text.includes('bad')) throw new Error('illegible');
    };
  });

  it('is parked with all later ones of its aggregate, while the others go on', async () => {
    await say(
      said('1 first', bad),
      said('2 bad', bad),
      said('3', good),
      said('4 behind', bad),
      said('5', good),
    );
    await hearAll();
    await say(said('6 later', bad), said('7', good));
    await hearAll();

    expect(await noted()).toEqual(['1 first', '3', '5', '7']);
    expect(await parked()).toEqual(['2 bad', '4 behind', '6 later']);
  });

  it('is applied in order with those behind it, once it is retried and can be', async () => {
    await say(said('1 bad', bad), said('2', bad), said('3', good));
    await hearAll();
    await say(said('4', bad));
    await hearAll();

    const inVain = await runner.retryParked();
    notebook.refuses = () => undefined;
    const applied = await runner.retryParked();
    await say(said('5', bad));
    await hearAll();

    expect([inVain, applied]).toEqual([0, 3]);
    expect(await noted()).toEqual(['3', '1 bad', '2', '4', '5']);
    expect(await parked()).toEqual([]);
  });

  it('that is still bad when retried keeps those behind it waiting', async () => {
    await say(said('1 bad', bad), said('2', bad), said('3 bad too', good), said('4', good));
    await hearAll();
    notebook.refuses = (event) => {
      if ((event.data as { text: string }).text === '3 bad too') throw new Error('illegible');
    };

    const applied = await runner.retryParked();

    expect(applied).toBe(2);
    expect([await noted(), await parked()]).toEqual([
      ['1 bad', '2'],
      ['3 bad too', '4'],
    ]);
  });

  it('is retried also while a turn of the same subscriber is under way: the operator waits for it', async () => {
    await say(said('1 bad', bad));
    await hearAll();
    notebook.refuses = () => undefined;
    let locked: () => void;
    const holding = new Promise<void>((resolve) => (locked = resolve));

    const turn = platform.database.run(async () => {
      await platform.database.write(`SELECT 1 FROM platform.subscriber_positions FOR UPDATE`);
      locked();
      await platform.database.query('SELECT pg_sleep(0.2)');
    });
    await holding;
    const applied = await runner.retryParked();
    await turn;

    expect(applied).toBe(1);
  });

  it('leaves nothing of its own writes behind', async () => {
    await say(said('bad', bad));
    await hearAll();

    expect(await noted()).toEqual([]);
  });
});
