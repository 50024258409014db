import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runInReadAfterWriteContext } from './read-after.js';
import { Database, ReplicaReads } from './database.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { isTransientDatabaseError } from './transient-error.js';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestDatabase();
  await platform.database.query('CREATE TABLE public.notes (text text PRIMARY KEY)');
});
afterAll(() => platform.close());
beforeEach(async () => {
  const forget = () => failure(platform.database.query('DELETE FROM public.notes'));
  // The pool may still contain connections that a test has killed.
  while (isTransientDatabaseError(await forget()));
});

async function note(text: string): Promise<void> {
  await platform.database.queryInTransaction('INSERT INTO public.notes (text) VALUES ($1)', [text]);
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
  it('rolls back with the unit of work around it', async () => {
    const error = await failure(
      platform.database.run(async () => {
        await platform.database.run(() => note('inner'));
        throw new Error('outer');
      }),
    );

    expect([(error as Error).message, await notes()]).toEqual(['outer', []]);
  });

  it('returns its result after a rollback, without its writes and callbacks', async () => {
    const called: string[] = [];

    const result = await platform.database.run(async () => {
      await platform.database.run(async () => platform.database.rollBackAtEnd());
      await note('a');
      platform.database.afterCommit(() => called.push('a'));
      return 'refused';
    });

    expect([result, called, await notes()]).toEqual(['refused', [], []]);
  });

  it('hides its writes until it ends, and is separate from concurrent ones', async () => {
    await platform.database.run(async () => {
      await note('a');
      const rows = await platform.dataSource.query('SELECT text FROM public.notes');

      expect(rows).toEqual([]);
    });
    await Promise.all(['b', 'c', 'd'].map((text) => platform.database.run(() => note(text))));

    expect(await notes()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is required for writes, callbacks and savepoints', async () => {
    await expect(note('a')).rejects.toThrow('unit of work');
    expect(() => platform.database.afterCommit(() => undefined)).toThrow('unit of work');
    await expect(platform.database.savepoint(async () => undefined)).rejects.toThrow('unit of work');
  });

  it('rejects late writes of work that it left running', async () => {
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

describe('A callback after the commit', () => {
  it('runs after the commit, in order, unless the work or its savepoint is rolled back', async () => {
    const called: string[] = [];

    await platform.database.run(async () => {
      platform.database.afterCommit(() => called.push('first'));
      await failure(
        platform.database.savepoint(async () => {
          platform.database.afterCommit(() => called.push('part'));
          throw new Error();
        }),
      );
      platform.database.afterCommit(() => called.push('second'));
      expect(called).toEqual([]);
    });
    await failure(
      platform.database.run(async () => {
        platform.database.afterCommit(() => called.push('undone'));
        throw new Error();
      }),
    );

    expect(called).toEqual(['first', 'second']);
  });
});

describe('A savepoint', () => {
  it('rolls back only its own writes', async () => {
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

  it('rolls back after an inner savepoint has failed', async () => {
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
});

describe('A request whose writes are followed', () => {
  /** Runs `work` and returns the ids of the transactions that were reported as writing after their commit. */
  async function followed(work: () => Promise<unknown>): Promise<bigint[]> {
    const written: bigint[] = [];
    const request = { after: undefined, wrote: (transaction: bigint) => void written.push(transaction) };
    await failure(runInReadAfterWriteContext(request, work));
    return written;
  }
  const writingTransactionId = async (text: string) => {
    const query = 'SELECT xmin::text FROM public.notes WHERE text = $1';
    return (await platform.database.query<{ xmin: string }>(query, [text]))[0]!.xmin;
  };
  const insert = (text: string, returning = '') =>
    platform.database.query(`INSERT INTO public.notes (text) VALUES ('${text}') ${returning}`);

  it('names each transaction that it wrote in', async () => {
    const unit = await followed(() => platform.database.run(() => note('a')));
    const alone = await followed(() => insert('b'));
    const naming = await followed(() =>
      insert('c', 'RETURNING pg_current_xact_id()::text AS writing_transaction_id'),
    );

    expect([unit, alone, naming].map(String)).toEqual(
      await Promise.all(['a', 'b', 'c'].map(writingTransactionId)),
    );
  });

  it('omits transactions that wrote nothing, were rolled back or could not commit', async () => {
    await platform.database.query(
      'CREATE TABLE public.once (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)',
    );
    const works = [
      () => platform.database.run(() => notes()),
      () => notes(),
      () => platform.database.run(async () => Promise.reject(await note('a'))),
      () => platform.database.query('INSERT INTO public.once (n) VALUES (1), (1)'),
    ];

    for (const work of works) expect(await followed(work)).toEqual([]);
  });
});

describe('A query of a list', () => {
  it('reads from the primary inside a unit of work, and from the replica outside', async () => {
    const elsewhere = new (class extends ReplicaReads {
      read = async <T>() => [{ text: 'of the replica' }] as T;
    })();
    const database = new Database(platform.dataSource, elsewhere);
    const list = () => database.queryReplica('SELECT text FROM public.notes');

    expect(await list()).toEqual([{ text: 'of the replica' }]);
    expect(await database.run(list)).toEqual([]);
  });
});

const killConnection = async () => {
  const [row] = await platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  await platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
};

describe('A unit of work that loses its connection', () => {
  it.each([
    ['halfway', () => note('b')],
    ['immediately before the commit', () => Promise.resolve()],
  ])('rolls back if the connection is killed %s, and the next one works', async (_, continued) => {
    let runs = 0;
    const error = await failure(
      platform.database.run(async () => {
        runs += 1;
        await note('a');
        await killConnection();
        await continued();
      }),
    );

    expect([isTransientDatabaseError(error), runs]).toEqual([true, 1]);
    expect(await notes()).toEqual([]);
    await platform.database.run(() => note('c'));
    expect(await notes()).toEqual(['c']);
  });

  it('leaves no broken or open connection in the pool', async () => {
    for (let round = 0; round < 15; round += 1) {
      await failure(
        platform.database.run(async () => {
          await killConnection();
          await note('a');
        }),
      );
    }

    await Promise.all(Array.from({ length: 30 }, (_, n) => platform.database.run(() => note(String(n)))));
    const open = await platform.database.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect([(await notes()).length, open]).toEqual([30, []]);
  });

  it('works after all idle connections were killed', async () => {
    await Promise.all(Array.from({ length: 5 }, () => platform.database.query('SELECT pg_sleep(0.02)')));

    await failure(
      platform.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    );

    await failure(platform.database.query('SELECT 1'));
    await platform.database.run(() => note('a'));
    expect(await notes()).toEqual(['a']);
  });
});

describe('A database error', () => {
  it.each([
    ['SELECT pg_terminate_backend(pg_backend_pid())', true],
    [`DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$`, true],
    [`DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53300'; END $$`, true],
    ['SELECT nothing', false],
    [`INSERT INTO public.notes (text) VALUES (NULL)`, false],
  ])('is transient only if the same work can succeed later: %s, %s', async (statement, transient) => {
    expect(isTransientDatabaseError(await failure(platform.database.query(statement)))).toBe(transient);
  });
});
