import { parseArgs } from 'node:util';
import {
  type Command,
  CommandArguments,
  CONFIRMED,
  irreversibleOf,
  type Option,
  UsageError,
} from './command.js';

export interface ParsedCommand {
  readonly command: Command;
  readonly args: CommandArguments;
}

/**
 * @param words as typed, without `--json` and `--help`
 * @param actor for audit logs; the system account's operator unless set
 * @throws UsageError
 */
export function parseCommand(
  commands: readonly Command[],
  words: readonly string[],
  actor?: string,
): ParsedCommand {
  const command = findCommand(commands, words);
  if (command === undefined) {
    throw new UsageError(words.length === 0 ? 'Say what to do.' : `There is no command "${plain(words)}".`);
  }
  return {
    command,
    args: new CommandArguments(valuesOf(command, words.slice(command.words.split(' ').length)), actor),
  };
}

/** The longest command that the typed words begin with. */
export function findCommand(commands: readonly Command[], typed: readonly string[]): Command | undefined {
  return commands
    .filter(({ words }) => words.split(' ').every((word, index) => typed[index] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

function valuesOf(command: Command, args: string[]): ReadonlyMap<string, string> {
  const options = command.options ?? {};
  const names = Object.keys(command.arguments ?? {});
  const { tokens, positionals } = tokensOf(command, args);
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (values.has(token.name)) throw new UsageError(`--${token.name} is given twice.`);
    values.set(token.name, token.value ?? '');
  }
  if (positionals.length > names.length) {
    throw new UsageError(`"${positionals[names.length]}" is one word too many.`);
  }
  names.forEach((name, index) => {
    const value = positionals[index];
    if (value === undefined) throw new UsageError(`The ${name} is missing.`);
    values.set(name, value);
  });
  for (const [name, option] of Object.entries(options)) {
    if (option.required && !values.has(name)) throw new UsageError(`--${name} is missing.`);
  }
  return values;
}

function tokensOf(command: Command, args: string[]) {
  const negative = args.find((word) => /^-\d/.test(word));
  if (negative !== undefined) throw new UsageError(`"${negative}" is negative: no command takes that.`);
  const confirmed: Record<string, Option> = { [CONFIRMED]: { about: 'confirms' } };
  const named = Object.entries({
    ...command.options,
    ...(irreversibleOf(command) === undefined ? {} : confirmed),
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

function plain(words: readonly string[]): string {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, end < 0 ? undefined : end).join(' ') || words.join(' ');
}
