import type { Command } from './command.js';

const HEAD = `Usage: npm run --silent operator -- <command> [options]

Every command takes --json for output that programs read, and --help.`;

/** Usage of one command, with its options. */
export function usageOf(command: Command): string {
  const options = Object.entries(command.options ?? {});
  const flags = options.map(([name, { value }]) =>
    value === undefined ? `--${name}` : `--${name} <${value}>`,
  );
  const width = Math.max(0, ...flags.map(({ length }) => length));
  const lines = options.map(([, { about, required }], index) => {
    const flag = flags[index]!.padEnd(width);
    return `  ${flag}  ${about}${required ? ' (required)' : ''}`;
  });
  const words = [command.words, ...(command.arguments ?? []).map((name) => `<${name}>`)].join(' ');
  return [`Usage: npm run --silent operator -- ${words} [options]`, '', command.about, ...lines].join('\n');
}

/** Usage of the commands that begin with `beginning`; of all where none does. */
export function usageOfAll(commands: readonly Command[], beginning = ''): string {
  const matching = commands.filter(({ words }) => words === beginning || words.startsWith(`${beginning} `));
  const shown = matching.length > 0 ? matching : commands;
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) return usageOf(only);
  const spelled = shown.map(({ words, arguments: args = [] }) =>
    [words, ...args.map((name) => `<${name}>`)].join(' '),
  );
  const width = Math.max(...spelled.map((text) => text.length));
  const lines = shown.map(({ about }, index) => `  ${(spelled[index] ?? '').padEnd(width)}  ${about}`);
  return [HEAD, '', ...lines].join('\n');
}
