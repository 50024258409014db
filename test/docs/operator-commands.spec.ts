import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { irreversibleOf, type Command } from '#app/operator/command.js';
import { commands } from '#app/operator/commands.js';
import { parseCommand } from '#app/operator/parse-command.js';
import { usageOf, usageOfAll } from '#app/operator/usage.js';

const page = readFileSync(join(process.cwd(), 'docs/operating/operator-commands.md'), 'utf8');

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

const ENTRIES = { 'with it': 'in its transaction', 'around it': 'before and after', 'after it': 'after' };

/** The page shows a command like this. */
function rowOf(command: Command): string[] {
  const { words, changes } = command;
  const spelled = [words, ...Object.keys(command.arguments ?? {}).map((name) => `<${name}>`)].join(' ');
  if (changes === undefined) return [`\`${spelled}\``, 'nothing', '', ''];
  const undo = 'undo' in changes ? changes.undo : `**asks**: ${changes.irreversible}`;
  return [`\`${spelled}\``, changes.what, undo, ENTRIES[changes.audited]];
}

describe('The page about operator commands', () => {
  it('has every command, what it changes, whether it asks, and how it is recorded', () => {
    expect(rows).toEqual(commands.map(rowOf));
  });
});

describe('The help of an operator command', () => {
  it.each(commands.map((command) => [command.words, command] as const))(
    '%s names arguments, options, what it changes, an example and the exit statuses',
    (words, command) => {
      const help = usageOf(command);

      expect(usageOfAll(commands)).toContain(`  ${words}`);
      for (const [name, about] of Object.entries(command.arguments ?? {}))
        expect(help).toMatch(new RegExp(`^ {2}<${name}> +${escaped(about)}$`, 'm'));
      for (const [name, { about }] of Object.entries(command.options ?? {}))
        expect(help).toMatch(new RegExp(`^ {2}--${name}(?: <.*>)? +${escaped(about)}`, 'm'));
      expect(help).toMatch(/^Exit status: 0 done; 1 .*; 2 not understood/m);
      const irreversible = irreversibleOf(command);
      if (command.changes === undefined) expect(help).toMatch(/^Changes: nothing\.$/m);
      else expect(help).toMatch(/^Changes: .*operator's log/m);
      expect(help.includes('--yes  ')).toBe(irreversible !== undefined);
      if (irreversible !== undefined) expect(help).toContain(`Cannot be undone, and asks: ${irreversible}`);
    },
  );

  it('has an example that the command line understands', () => {
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

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
