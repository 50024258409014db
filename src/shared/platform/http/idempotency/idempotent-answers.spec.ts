import { describe, expect, it, jest } from '@jest/globals';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import { IdempotencyKeyTaken, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import type { StoredIdempotencyKey, IdempotencyKeys } from '../../idempotency/idempotency-keys.js';
import { IdempotentAnswers, IdempotencyInProgress } from './idempotent-answers.js';

const DIGEST = new Uint8Array([1]);
const STORED: StoredIdempotencyKey = { requestDigest: DIGEST, answer: '{"id":"first"}' };
const credentialId = newId<CredentialId>();

/** Simulates requests with the same key to one process. `stored` returns what the database contains at that moment. */
function requests(stored: () => StoredIdempotencyKey | undefined) {
  const find = jest.fn(() => Promise.resolve(stored()));
  const answers = new IdempotentAnswers({ find } as unknown as IdempotencyKeys);
  const use = {
    ...{ credentialId, key: 'order-1042', operation: 'POST /things', requestDigest: DIGEST },
    ...{ executionId: newId<string>(), at: new Date(0) },
  };
  const send = (
    create: (idempotency?: IdempotentCreation<object>) => Promise<object>,
    requestDigest = DIGEST,
  ) =>
    answers.answerOnce(
      { use: () => ({ ...use, requestDigest }), markReplayed: () => undefined },
      (created) => created,
      create,
    );
  return { send, find };
}

describe('An idempotency key of concurrent requests', () => {
  it('returns the stored answer to each of the requests', async () => {
    const { send } = requests(() => STORED);
    const create = jest.fn(() => Promise.resolve({}));

    const replayed = await Promise.all([send(create), send(create)]);

    expect(replayed).toEqual([{ id: 'first' }, { id: 'first' }]);
    expect(create).not.toHaveBeenCalled();
  });

  it('is rejected for another request', async () => {
    const { send } = requests(() => STORED);

    for (const digest of [[0], [2]])
      await expect(send(() => Promise.resolve({}), new Uint8Array(digest))).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
  });

  it('returns the stored answer if an execution fails because another one was first', async () => {
    for (const [error, expected] of [
      [new IdempotencyKeyTaken(), { id: 'first' }],
      [stateConflict('The session has ended.'), { id: 'first' }],
      [new Error('broken'), 'broken'],
    ] as const) {
      let stored: StoredIdempotencyKey | undefined;
      const { send } = requests(() => stored);

      const answer = send(() => {
        stored = STORED;
        return Promise.reject(error);
      });

      expect(await answer.catch(({ message }: Error) => message)).toEqual(expected);
    }
  });

  it('is rejected while the first request creates, from the second rejection on without a query', async () => {
    const { send, find } = requests(() => undefined);
    let finish!: (created: object) => void;
    const create = jest.fn(() => new Promise<object>((resolve) => (finish = resolve)));

    const first = send(create);
    await expect(send(create)).rejects.toThrow(IdempotencyInProgress);
    const asked = find.mock.calls.length;
    await expect(send(create)).rejects.toThrow(IdempotencyInProgress);
    finish({ id: 'first' });

    expect(await first).toEqual({ id: 'first' });
    expect([create.mock.calls.length, find.mock.calls.length]).toEqual([1, asked]);
  });
});
