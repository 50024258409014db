import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
  // The pool may not have heard yet that a test has killed one of its connections.
  while (isTransientDatabaseError(await forget()));
});

async function note(text: string): Promise<void> {
  await platform.database.write('INSERT INTO public.notes (text) VALUES ($1)', [text]);
}

async function notes(): Promise<string[]> {
  const rows = await platform.database.query<{ text: string }>('SELECT text FROM public.notes ORDER BY text');
  return rows.map(({ text }) => text);
}

async function connectionId(): Promise<number> {
  const [row] = await platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
  return row!.id;
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('A unit of work that loses its connection', () => {
  it('keeps nothing when its connection is killed in the middle, and the next one works', async () => {
    const error = await failure(
      platform.database.run(async () => {
        await note('a');
        const id = await connectionId();
        await platform.dataSource.query('SELECT pg_terminate_backend($1)', [id]);
        await note('b');
      }),
    );

    expect(isTransientDatabaseError(error)).toBe(true);
    expect(await notes()).toEqual([]);
    await platform.database.run(() => note('c'));
    expect(await notes()).toEqual(['c']);
  });

  it('does not claim to have committed when its connection is killed right before', async () => {
    const error = await failure(
      platform.database.run(async () => {
        await note('a');
        await platform.dataSource.query('SELECT pg_terminate_backend($1)', [await connectionId()]);
      }),
    );

    expect(isTransientDatabaseError(error)).toBe(true);
    expect(await notes()).toEqual([]);
  });

  it('leaves no broken or open connection behind, however often one is killed', async () => {
    for (let round = 0; round < 25; round += 1) {
      await failure(
        platform.database.run(async () => {
          await platform.dataSource.query('SELECT pg_terminate_backend($1)', [await connectionId()]);
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

  it('survives that all idle connections are killed', async () => {
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
    ['SELECT 1 / 0', false],
    ['SELECT nothing', false],
    [`INSERT INTO public.notes (text) VALUES (NULL)`, false],
  ])('of %s says truly whether another try can help: %s', async (statement, transient) => {
    expect(isTransientDatabaseError(await failure(platform.database.query(statement)))).toBe(transient);
  });

  it('is not seen in what our own code says', () => {
    expect(isTransientDatabaseError(new Error('The funds were released.'))).toBe(false);
  });
});
