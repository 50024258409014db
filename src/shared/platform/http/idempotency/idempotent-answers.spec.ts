import { describe, expect, it, jest } from '@jest/globals';
import { newId, type CredentialId } from '#shared/kernel/ids.js';
import type { KeyedCreation } from '#shared/kernel/keyed-creation.js';
import type { FoundKey, IdempotencyKeys } from '../../idempotency/idempotency-keys.js';
import { IdempotentAnswers, IdempotencyInProgress } from './idempotent-answers.js';

const DIGEST = new Uint8Array([1]);
const STORED: FoundKey = { requestDigest: DIGEST, answer: '{"id":"first"}' };
const credentialId = newId<CredentialId>();

/** Requests under one key to one process, which finds what is stored now. */
function requests(stored: () => FoundKey | undefined) {
  const find = jest.fn(() => Promise.resolve(stored()));
  const answers = new IdempotentAnswers({ find } as unknown as IdempotencyKeys);
  const send = (create: (keyed?: KeyedCreation<object>) => Promise<object>) =>
    answers.once(
      {
        use: () => ({
          credentialId,
          key: 'order-1042',
          operation: 'POST /things',
          requestDigest: DIGEST,
          executionId: newId(),
          at: new Date(0),
        }),
        markReplayed: () => undefined,
      },
      (created) => created,
      create,
    );
  return { send, find };
}

describe('Repetitions under one idempotency key at the same time', () => {
  it('are all given the answer that is stored', async () => {
    const { send } = requests(() => STORED);
    const create = jest.fn(() => Promise.resolve({}));

    const replayed = await Promise.all([send(create), send(create)]);

    expect(replayed).toEqual([{ id: 'first' }, { id: 'first' }]);
    expect(create).not.toHaveBeenCalled();
  });

  it('are refused while the first one creates, those that come then without a statement', async () => {
    const { send, find } = requests(() => undefined);
    let finish!: (created: object) => void;
    const create = jest.fn(() => new Promise<object>((resolve) => (finish = resolve)));

    const first = send(create);
    await expect(send(create)).rejects.toThrow(IdempotencyInProgress);
    const asked = find.mock.calls.length;
    await expect(send(create)).rejects.toThrow(IdempotencyInProgress);
    finish({ id: 'first' });

    expect([await first, create.mock.calls.length, find.mock.calls.length]).toEqual([
      { id: 'first' },
      1,
      asked,
    ]);
  });
});
