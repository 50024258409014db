import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type CredentialId } from '../../kernel/ids.js';
import { IdempotencyKeyTaken, type IdempotentCreation } from '../../kernel/idempotent-creation.js';
import { IdempotencyKeys } from './idempotency-keys.js';

const DAY_SECONDS = 86_400;

let platform: TestPlatform;
let keys: IdempotencyKeys;
const caller = newId<CredentialId>();
beforeEach(async () => {
  platform = await openTestDatabase();
  keys = new IdempotencyKeys(platform.database);
  await platform.database.query('CREATE TABLE public.things (name text)');
});
afterEach(async () => {
  await platform.database.query('DROP TABLE public.things');
  await platform.close();
});

/** Returns one execution of a request that creates a thing. */
async function creation(
  given: Partial<IdempotentCreation<string>> = {},
): Promise<IdempotentCreation<string>> {
  return {
    credentialId: caller,
    key: 'order-1042',
    operation: 'POST /things',
    requestDigest: createHash('sha256').update('thing').digest(),
    executionId: newId(),
    at: await platform.clock.now(),
    answerOf: (created) => ({ objectId: null, answer: JSON.stringify({ created }) }),
    ...given,
  };
}

async function make(name: string): Promise<string> {
  await platform.database.query('INSERT INTO public.things VALUES ($1)', [name]);
  return name;
}

const things = async () =>
  (await platform.database.query<{ name: string }>('SELECT name FROM public.things ORDER BY name')).map(
    ({ name }) => name,
  );
const answerUnder = async (key: IdempotentCreation<string>) => (await keys.find(key))?.answer;
/** Lets `seconds` of real time pass for reservations by moving their start into the past. */
const passInReal = (seconds: number) =>
  platform.database.query(
    'UPDATE platform.idempotency_keys SET held_until = held_until - make_interval(secs => $1)',
    [seconds],
  );

describe('A creation under an idempotency key', () => {
  const neverBegun = jest.fn(() => make('two'));
  beforeEach(() => void neverBegun.mockClear());

  it('is stored with its answer, after which another one is rejected', async () => {
    await keys.run(await creation(), () => make('one'));

    await expect(keys.run(await creation(), neverBegun)).rejects.toThrow(IdempotencyKeyTaken);

    expect([await things(), await answerUnder(await creation())]).toEqual([['one'], '{"created":"one"}']);
    expect(neverBegun).not.toHaveBeenCalled();
  });

  it('stores nothing if it fails, neither the thing nor the answer', async () => {
    const failing = keys.run(await creation(), async () => {
      await make('one');
      throw new Error('broken');
    });

    await expect(failing).rejects.toThrow('broken');
    expect([await things(), await answerUnder(await creation())]).toEqual([[], undefined]);
  });

  it('rejects another one immediately while it runs', async () => {
    let finish!: () => void;
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const first = keys.run(await creation(), async () => {
      await make('one');
      begun();
      await new Promise<void>((resolve) => (finish = resolve));
      return 'one';
    });
    await isBegun;

    await expect(keys.run(await creation(), neverBegun)).rejects.toThrow(IdempotencyKeyTaken);
    finish();
    await first;

    expect([await things(), neverBegun.mock.calls]).toEqual([['one'], []]);
  });

  it('is rolled back if another one was answered after it had begun', async () => {
    const late = keys.run(await creation(), async () => {
      // Inserts the key on another connection, so that the lock does not prevent it.
      await platform.dataSource.query(
        `INSERT INTO platform.idempotency_keys (credential_id, key, operation, request_digest, execution_id, answer, created_at)
         VALUES ($1, 'order-1042', 'POST /things', sha256('thing'), gen_random_uuid(), '{}', platform.now())`,
        [caller],
      );
      return make('two');
    });

    await expect(late).rejects.toThrow(IdempotencyKeyTaken);
    expect([await things(), await answerUnder(await creation())]).toEqual([[], '{}']);
  });

  it('is independent of other credentials and other keys', async () => {
    await keys.run(await creation(), () => make('one'));

    await keys.run(await creation({ credentialId: newId<CredentialId>() }), () => make('two'));
    await keys.run(await creation({ key: 'ORDER-1042' }), () => make('three'));

    expect(await things()).toEqual(['one', 'three', 'two']);
  });
});

describe('An idempotency key after 24 hours', () => {
  it('is free again, and one of many concurrent executions takes it', async () => {
    await keys.run(await creation(), () => make('old'));
    await platform.advance(DAY_SECONDS + 1);
    const found = await answerUnder(await creation());
    const many = await Promise.all(Array.from({ length: 8 }, () => creation()));

    const outcomes = await Promise.allSettled(
      many.map((each, number) => keys.run(each, () => make(`new ${number}`))),
    );

    const stored = await things();
    expect([found, stored.length, stored[1]]).toEqual([undefined, 2, 'old']);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await answerUnder(await creation())).toBe(JSON.stringify({ created: stored[0] }));
  });

  it('is pruned in steps, and is still valid a second before', async () => {
    await keys.run(await creation(), () => make('old'));
    await keys.run(await creation({ key: 'old-too' }), () => make('old too'));
    await platform.advance(DAY_SECONDS - 1);
    await keys.run(await creation({ key: 'young' }), () => make('young'));
    await expect(keys.run(await creation(), () => make('new'))).rejects.toThrow(IdempotencyKeyTaken);
    const early = await keys.prune(10);
    await platform.advance(2);

    expect([early, await keys.prune(1), await keys.prune(10), await keys.prune(10)]).toEqual([0, 1, 1, 0]);
    expect(await answerUnder(await creation({ key: 'young' }))).toBe('{"created":"young"}');
  });
});

describe('An idempotency key that is held during external work', () => {
  it('rejects other executions until the answer is stored', async () => {
    const first = await creation();
    const held = await keys.reserveDuring(first, async () => {
      const meanwhile = await keys.find(await creation());
      await expect(keys.reserveDuring(await creation(), () => make('two'))).rejects.toThrow(
        IdempotencyKeyTaken,
      );
      await expect(keys.run(await creation(), () => make('three'))).rejects.toThrow(IdempotencyKeyTaken);
      await keys.run(first, () => make('one'));
      return meanwhile;
    });

    expect(held!.answer).toBeNull();
    expect([await things(), await answerUnder(await creation())]).toEqual([['one'], '{"created":"one"}']);
  });

  it('stays held if the clock of the service is moved past the end of the hold', async () => {
    await keys.reserveDuring(await creation(), async () => {
      await platform.advance(60);
      await expect(keys.reserveDuring(await creation(), () => make('two'))).rejects.toThrow(
        IdempotencyKeyTaken,
      );
    });

    expect(await things()).toEqual([]);
  });

  it('is free again immediately after a failure', async () => {
    const failing = keys.reserveDuring(await creation(), () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');

    await keys.reserveDuring(await creation(), () => make('two'));

    expect(await things()).toEqual(['two']);
  });

  it('is free again ten seconds after its process was killed', async () => {
    const killed = await creation();
    let begun!: () => void;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    void keys.reserveDuring(killed, () => {
      begun();
      return new Promise(() => undefined);
    });
    await isBegun;
    await passInReal(5);
    await expect(keys.reserveDuring(await creation(), () => make('early'))).rejects.toThrow(
      IdempotencyKeyTaken,
    );
    await passInReal(6);
    const second = await creation();

    await keys.reserveDuring(second, () => keys.run(second, () => make('two')));

    // The execution that seemed to be killed was only slow.
    await expect(keys.run(killed, () => make('one'))).rejects.toThrow(IdempotencyKeyTaken);
    expect(await things()).toEqual(['two']);
  });
});
