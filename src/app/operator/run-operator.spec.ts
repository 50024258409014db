import { describe, expect, it } from '@jest/globals';
import { Database } from '#shared/platform/database/database.js';
import type { Command } from './command.js';
import { runCommand } from './testing/run-command.js';

const approve: Command = {
  words: 'thing approve',
  about: 'Approve a thing.',
  changes: {
    what: 'things',
    irreversible: 'An approval stays.',
    audited: 'with it',
    preview: async () => ({ effect: 'The thing will be approved.', confirmedBy: 'Caf\u00e9' }),
  },
  example: '',
  run: async () => ({ data: {} }),
};
const database = { query: async () => [{ table: null }], run: (work: () => unknown) => work() };

/** Runs a command and answers its confirmation with `typed`. @returns the exit status */
async function approvedBy(typed: string, ...words: string[]): Promise<number> {
  const host = { commands: [approve], ask: async () => typed };
  return (await runCommand(new Map([[Database, database]]), ['thing', 'approve', ...words], host)).status;
}

describe('A command that cannot be undone', () => {
  it('accepts the confirmation text in any Unicode normalization, and no other text', async () => {
    expect([await approvedBy('Caf\u00e9'), await approvedBy(' Cafe\u0301 ')]).toEqual([0, 0]);
    expect([await approvedBy('Cafe'), await approvedBy('')]).toEqual([2, 2]);
  });

  it('does not prompt if its output is read by a program', async () => {
    expect(await approvedBy('Caf\u00e9', '--json')).toBe(2);
    expect(await approvedBy('', '--json', '--yes')).toBe(0);
  });
});
