import { describe, expect, it } from '@jest/globals';
import { irreversibleEffectOf, type Command } from '#app/operator/command.js';
import { commandGroups, commands } from '#app/operator/commands.js';
import { parseCommand } from '#app/operator/parse-command.js';
import { formatHelp, formatUsage } from '#app/operator/usage.js';
import { expectTable } from '../support/docs-table.js';

const HEADER = ['command', 'changes', 'undone by', 'entry'];
const ENTRIES = { 'with it': 'in its transaction', 'around it': 'before and after', 'after it': 'after' };

/** The page shows a command like this; it leaves out those that only read. */
function rowsOf(command: Command): string[][] {
  const { words, changes } = command;
  if (changes === undefined) return [];
  const spelled = [words, ...Object.keys(command.arguments ?? {}).map((name) => `<${name}>`)].join(' ');
  const undo = 'undo' in changes ? changes.undo : `**asks**: ${changes.irreversible}`;
  return [[`\`${spelled}\``, changes.what, undo, ENTRIES[changes.audited]]];
}

describe('The table of operator commands in the documentation', () => {
  it('contains every command that changes something (WRITE_DOCS=yes updates it)', () => {
    expectTable('docs/operating/operator-commands.md', '## Commands that change something', [
      HEADER,
      ...commands.flatMap(rowsOf),
    ]);
  });
});

describe('The help of an operator command', () => {
  it.each(commands.map((command) => [command.words, command] as const))(
    'describes arguments, options, changes and exit statuses: %s',
    (words, command) => {
      const help = formatUsage(command);

      expect(formatHelp(commandGroups, words.split(' ')[0])).toContain(words);
      expect(help).toMatch(/^Exit status: 0 done; 1 .*; 2 not understood/m);
      const irreversible = irreversibleEffectOf(command);
      if (command.changes === undefined) expect(help).toMatch(/^Changes: nothing\.$/m);
      else expect(help).toMatch(/^Changes: .*operator's log/m);
      expect(help.includes('--yes  ')).toBe(irreversible !== undefined);
      if (irreversible !== undefined)
        expect(help).toContain(`Irreversible, asks for confirmation: ${irreversible}`);
    },
  );

  it('has a valid example for each command', () => {
    for (const { words, example } of commands) {
      const typed = [...`${words} ${example}`.matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b!);
      const parsed = parseCommand(
        commands,
        typed.filter((word) => word !== '--json'),
      );

      expect(parsed.command.words).toBe(words);
    }
  });
});
