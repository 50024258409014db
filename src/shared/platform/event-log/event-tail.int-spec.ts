import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '../../kernel/ids.js';
import { EventTail } from './event-tail.js';
import { line } from './testing/open-recording-subscriber.js';

let platform: TestPlatform;
let tail: EventTail;
let writers: pg.Client[];
beforeEach(async () => {
  platform = await openTestDatabase();
  tail = new EventTail(platform.database);
  writers = [];
});
afterEach(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await platform.close();
});

const [shop, till] = [newId(), newId()];

function write(...events: ReturnType<typeof line>[]): Promise<void> {
  return platform.database.run(() => platform.eventLog.append(events));
}

/** Polls once and returns the aggregate ids, in any order. */
async function seen(by = tail): Promise<string[] | 'too_many'> {
  const { events } = await by.poll();
  return events === 'too_many' ? events : events.map(({ aggregateId }) => aggregateId).sort();
}

/** Starts a transaction that has already written, so that it has a transaction id, and is still open. */
async function openWriter(): Promise<{
  append(aggregateId: string): Promise<void>;
  commit(): Promise<void>;
}> {
  const client = new pg.Client({ connectionString: platform.url });
  await client.connect();
  writers.push(client);
  await client.query('BEGIN');
  await client.query('SELECT pg_current_xact_id()');
  return {
    append: async (aggregateId) =>
      void (await client.query(
        `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
         VALUES ($1, 'line', $2, $2, $2, now(), '{}')`,
        [newId(), aggregateId],
      )),
    commit: async () => void (await client.query('COMMIT')),
  };
}

describe('A poll of the event tail', () => {
  it('reports that anything may have changed after a failover', async () => {
    await seen();
    platform.database.identity.resumeWriting();

    expect([await seen(), await seen()]).toEqual(['too_many', []]);
  });

  it('returns each new event once, and none that existed before or was rolled back', async () => {
    await write(line('before', shop));

    const first = await seen();
    await platform.database
      .run(async () => {
        await platform.eventLog.append([line('undone', shop)]);
        throw new Error();
      })
      .catch(() => undefined);
    await write(line('a', shop), line('b', till, 'shouted'));
    const { events } = await tail.poll();

    expect([first, await seen()]).toEqual([[], []]);
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { aggregateId: shop, type: 'line' },
        { aggregateId: till, type: 'shouted' },
      ]),
    );
  });

  it('returns each event once if transactions commit in another order than they began', async () => {
    const [one, two, three] = [await openWriter(), await openWriter(), await openWriter()];
    const [first, second, third] = [newId(), newId(), newId()];
    await three.append(third);
    await seen();
    await one.append(first);
    await two.append(second);

    const looks: unknown[] = [];
    for (const writer of [three, one, two]) {
      await writer.commit();
      looks.push(await seen());
    }

    expect(looks).toEqual([[third], [first], [second]]);
    expect(await seen()).toEqual([]);
  });

  it('does not wait for a long transaction, and repeats nothing while it runs', async () => {
    const long = await openWriter();
    await long.append(till);
    await seen();

    const looks: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      await write(line('short', shop));
      looks.push(await seen(), await seen());
    }
    await long.commit();

    expect(looks).toEqual([[shop], [], [shop], [], [shop], []]);
    expect(await seen()).toEqual([till]);
  });

  it('reports too many events, and continues after them', async () => {
    const short = new EventTail(platform.database, 3);
    await seen(short);

    await write(...[1, 2, 3].map((n) => line(`${n}`, shop)));
    const three = await seen(short);
    await write(...[1, 2, 3, 4].map((n) => line(`${n}`, shop)));
    const four = await seen(short);
    await write(line('next', till));

    expect([three, four, await seen(short)]).toEqual([[shop, shop, shop], 'too_many', [till]]);
  });
});

describe('A poll of the event tail after a failed one', () => {
  it('reports that events may be missing, then continues', async () => {
    await seen();
    await platform.database.query('ALTER TABLE platform.events RENAME TO away');
    await expect(seen()).rejects.toThrow();
    await platform.database.query('ALTER TABLE platform.away RENAME TO events');
    await write(line('meanwhile', shop));

    const afterwards = await seen();
    await write(line('later', till));

    expect([afterwards, await seen()]).toEqual(['too_many', [till]]);
  });
});
