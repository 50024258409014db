import { parseArgs } from 'node:util';
import {
  type Command,
  CommandArguments,
  CONFIRMATION_OPTION,
  irreversibleEffectOf,
  type CommandOption,
  UsageError,
} from './command.js';

export interface ParsedCommand {
  readonly command: Command;
  readonly args: CommandArguments;
}

/** @param words as typed, without `--json` and `--help` @throws UsageError */
export function parseCommand(
  commands: readonly Command[],
  words: readonly string[],
  actor?: string,
): ParsedCommand {
  const command = findCommand(commands, words);
  if (command === undefined) {
    if (words.length === 0) throw new UsageError('A command is required.');
    throw new UsageError(
      `There is no command "${withoutOptions(words)}".${suggestCommand(commands, withoutOptions(words))}`,
    );
  }
  return {
    command,
    args: new CommandArguments(parseValues(command, words.slice(command.words.split(' ').length)), actor),
  };
}

export function findCommand(commands: readonly Command[], typed: readonly string[]): Command | undefined {
  return commands
    .filter(({ words }) => words.split(' ').every((word, index) => typed[index] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

function parseValues(command: Command, args: string[]): ReadonlyMap<string, string> {
  const options = command.options ?? {};
  const names = Object.keys(command.arguments ?? {});
  const { tokens, positionals } = parseTokens(command, args);
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (values.has(token.name)) throw new UsageError(`--${token.name} can be passed only once.`);
    values.set(token.name, token.value ?? '');
  }
  if (positionals.length > names.length) {
    throw new UsageError(`Unexpected argument "${positionals[names.length]}".`);
  }
  names.forEach((name, index) => {
    const value = positionals[index];
    if (value === undefined) throw new UsageError(`<${name}> is required.`);
    values.set(name, value);
  });
  for (const [name, option] of Object.entries(options)) {
    if (option.required && !values.has(name)) throw new UsageError(`--${name} is required.`);
  }
  return values;
}

function parseTokens(command: Command, args: string[]) {
  const negative = args.find((word) => /^-\d/.test(word));
  if (negative !== undefined)
    throw new UsageError(`"${negative}" is negative. Amounts and numbers must be positive.`);
  const confirmed: Record<string, CommandOption> = { [CONFIRMATION_OPTION]: { about: 'confirms' } };
  const named = Object.entries({
    ...command.options,
    ...(irreversibleEffectOf(command) === undefined ? {} : confirmed),
  });
  const options = Object.fromEntries(
    named.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    const [sentence = ''] = String((error as Error).message).split(/\.\s/);
    throw new UsageError(`${sentence.replace(/\.?$/, '')}.`);
  }
}

function suggestCommand(commands: readonly Command[], typed: string): string {
  const begun = commands.filter(({ words }) => words.startsWith(`${typed} `)).map(({ words }) => words);
  const near = commands
    .map(({ words }) => ({ words, distance: editDistance(truncateToWordsOf(typed, words), words) }))
    .filter(({ words, distance }) => distance <= words.length / 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 1)
    .map(({ words }) => words);
  const found = begun.length > 0 ? begun : near;
  return found.length === 0 ? '' : ` Did you mean ${found.map((words) => `"${words}"`).join(', ')}?`;
}

function truncateToWordsOf(typed: string, words: string): string {
  return typed.split(' ').slice(0, words.split(' ').length).join(' ');
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

function withoutOptions(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, end < 0 ? undefined : end).join(' ') || words.join(' ');
}
