import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { followRequest } from '../replica/read-after.js';
import type { Replica } from '../replica/replica.js';
import { Database } from './database.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
  await platform.database.query('CREATE TABLE public.notes (text text PRIMARY KEY)');
});
afterAll(() => platform.close());
beforeEach(async () => {
  await platform.database.query('DELETE FROM public.notes');
});

async function note(text: string): Promise<void> {
  await platform.database.write('INSERT INTO public.notes (text) VALUES ($1)', [text]);
}

async function notes(): Promise<string[]> {
  const rows = await platform.database.query<{ text: string }>('SELECT text FROM public.notes ORDER BY text');
  return rows.map(({ text }) => text);
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('A unit of work', () => {
  it('keeps everything that was written in it, and answers what the work answers', async () => {
    const answer = await platform.database.run(async () => {
      await note('a');
      await note('b');
      return 42;
    });

    expect([answer, await notes()]).toEqual([42, ['a', 'b']]);
  });

  it('keeps nothing when the work throws', async () => {
    const error = await failure(
      platform.database.run(async () => {
        await note('a');
        throw new Error('changed my mind');
      }),
    );

    expect([(error as Error).message, await notes()]).toEqual(['changed my mind', []]);
  });

  it('is joined by another inside it', async () => {
    const error = await failure(
      platform.database.run(async () => {
        await platform.database.run(() => note('inner'));
        throw new Error('outer');
      }),
    );

    expect([(error as Error).message, await notes()]).toEqual(['outer', []]);
  });

  it('shows nothing to others before its end, and is a transaction of its own beside others', async () => {
    await platform.database.run(async () => {
      await note('a');
      const rows = await platform.dataSource.query('SELECT text FROM public.notes');

      expect(rows).toEqual([]);
    });
    await Promise.all(['b', 'c', 'd'].map((text) => platform.database.run(() => note(text))));

    expect(await notes()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is demanded by writes', async () => {
    await expect(note('a')).rejects.toThrow('unit of work');
    expect(() => platform.database.afterCommit(() => undefined)).toThrow('unit of work');
  });

  it('is not written into by what it left running', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let go: () => void;
    const ended = new Promise<void>((resolve) => (go = resolve));
    await platform.database.run(async () => {
      late = failure(ended.then(() => note('late')));
    });

    const other = await failure(
      platform.database.run(async () => {
        go();
        await late;
        throw new Error('rolled back');
      }),
    );

    expect(String(await late)).toContain('unit of work');
    expect((other as Error).message).toBe('rolled back');
  });
});

describe('What waits for the commit', () => {
  it('is called after it, in order', async () => {
    const called: string[] = [];

    await platform.database.run(async () => {
      platform.database.afterCommit(() => called.push('first'));
      platform.database.afterCommit(() => called.push('second'));
      await note('a');
      expect(called).toEqual([]);
    });

    expect(called).toEqual(['first', 'second']);
  });

  it('is never called when the work is undone, or the part it belongs to', async () => {
    const called: string[] = [];

    await failure(
      platform.database.run(async () => {
        platform.database.afterCommit(() => called.push('undone'));
        throw new Error();
      }),
    );
    await platform.database.run(async () => {
      platform.database.afterCommit(() => called.push('kept'));
      await failure(
        platform.database.savepoint(async () => {
          platform.database.afterCommit(() => called.push('part'));
          throw new Error();
        }),
      );
    });

    expect(called).toEqual(['kept']);
  });
});

describe('A part of a unit of work', () => {
  it('that fails is undone alone', async () => {
    await platform.database.run(async () => {
      await note('before');
      const error = await failure(
        platform.database.savepoint(async () => {
          await note('part');
          await note('part');
        }),
      );
      expect((error as { code: string }).code).toBe('23505');
      await note('after');
    });

    expect(await notes()).toEqual(['after', 'before']);
  });

  it('that fails after a part of its own has failed is undone wholly', async () => {
    await platform.database.run(async () => {
      await note('before');
      await failure(
        platform.database.savepoint(async () => {
          await note('outer');
          await failure(
            platform.database.savepoint(async () => {
              await note('inner');
              throw new Error('inner');
            }),
          );
          throw new Error('outer');
        }),
      );
    });

    expect(await notes()).toEqual(['before']);
  });

  it('cannot stand alone', async () => {
    await expect(platform.database.savepoint(async () => undefined)).rejects.toThrow('unit of work');
  });
});

describe('A request that is followed', () => {
  /** The transactions that it has written in, as they were named after their commits. */
  async function followed(work: () => Promise<unknown>): Promise<bigint[]> {
    const written: bigint[] = [];
    const request = { after: undefined, wrote: (transaction: bigint) => void written.push(transaction) };
    await failure(followRequest(request, work));
    return written;
  }
  const writtenIn = async (text: string) =>
    (
      await platform.database.query<{ xmin: string }>('SELECT xmin::text FROM public.notes WHERE text = $1', [
        text,
      ])
    )[0]!.xmin;
  const insert = (text: string, returning = '') =>
    platform.database.query(`INSERT INTO public.notes (text) VALUES ('${text}') ${returning}`);

  it('names each transaction that it has written in, of several statements or of one', async () => {
    const unit = await followed(() => platform.database.run(() => note('a')));
    const alone = await followed(() => insert('b'));
    const naming = await followed(() => insert('c', 'RETURNING pg_current_xact_id()::text AS written_in'));

    expect([unit, alone, naming].map(String)).toEqual(await Promise.all(['a', 'b', 'c'].map(writtenIn)));
  });

  it('names none that wrote nothing, or was undone', async () => {
    expect(await followed(() => platform.database.run(() => notes()))).toEqual([]);
    expect(await followed(() => notes())).toEqual([]);
    expect(await followed(() => platform.database.run(async () => Promise.reject(await note('a'))))).toEqual(
      [],
    );
  });

  it('names none whose commit fails', async () => {
    await platform.database.query(
      'CREATE TABLE public.once (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)',
    );

    expect(
      await followed(() => platform.database.query('INSERT INTO public.once (n) VALUES (1), (1)')),
    ).toEqual([]);
  });
});

it('reads on the primary inside a unit of work, whatever a list would do', async () => {
  const elsewhere = { read: async () => [{ text: 'of the replica' }] } as unknown as Replica;
  const database = new Database(platform.dataSource, elsewhere);
  const list = () => database.queryReplica('SELECT text FROM public.notes');

  expect(await list()).toEqual([{ text: 'of the replica' }]);
  expect(await database.run(list)).toEqual([]);
});
