import { describe, expect, it } from '@jest/globals';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { Database } from '#shared/platform/database/database.js';
import { UsageError } from '../command.js';
import { OperatorLog } from './operator-log.js';

const ACTION = { actor: 'operator anna', command: 'float withdraw', arguments: {} };

describe('The log of a command that failed', () => {
  const logged: unknown[] = [];
  const recordIn = (
    query: (_: string, values: unknown[]) => Promise<unknown>,
    error: Error = new TypeError('the key 0xsecret'),
  ) =>
    new OperatorLog({ query } as unknown as Database).record('around it', ACTION, async () => {
      throw error;
    });

  it('contains only the class of an unexpected error', async () => {
    await expect(recordIn(async (_, values) => void logged.push(values.slice(4)))).rejects.toThrow('the key');

    expect(logged).toEqual([
      ['begun', null],
      ['failed', 'TypeError'],
    ]);
  });

  it.each([stateConflict('The float is held.'), new UsageError('Pass --name.')])(
    'contains the message of a rejection: %s',
    async (error) => {
      const reasons: unknown[] = [];
      const log = async (_: string, values: unknown[]) => void reasons.push(values[5]);

      await expect(recordIn(log, error)).rejects.toThrow(error);
      expect(reasons).toEqual([null, error.message]);
    },
  );

  it('does not hide the error of the command if writing the log fails', async () => {
    const failing = recordIn(async (_, values) => {
      if (values[4] === 'failed') throw new Error('The database is away.');
    });

    await expect(failing).rejects.toThrow('the key 0xsecret');
  });
});
