import { type Command, type CommandGroups, irreversibleEffectOf } from './command.js';

const PROGRAM = 'npm run --silent operator --';

const USAGE_HEAD = `Usage: ${PROGRAM} <command> [options]`;
const USAGE_FOOT = `Details: help <group>, or <command> --help. Every command accepts --json.
Changes are recorded in the operator's log (audit list).
Exit status: 0 done; 1 refused, failed, or a problem found; 2 not understood or not confirmed.`;
const SCREEN_COLUMNS = 100;

export function formatUsage(command: Command): string {
  const { words, about, arguments: named = {}, options = {}, example } = command;
  const irreversible = irreversibleEffectOf(command);
  const rows: [string, string][] = [
    ...Object.entries(named).map(([name, says]): [string, string] => [`<${name}>`, says]),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      option.value === undefined ? `--${name}` : `--${name} <${option.value}>`,
      option.about + (option.required ? ' (required)' : ''),
    ]),
    ...(irreversible === undefined ? [] : [['--yes', 'confirm without a prompt'] as [string, string]]),
    ['--json', 'print JSON'],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Usage: ${PROGRAM} ${spellCommand(command)} [options]`,
    '',
    about,
    ...rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`),
    '',
    ...describeChanges(command),
    `Example: ${PROGRAM} ${`${words} ${example}`.trim()}`,
    `Exit status: ${describeExitStatuses(command)}`,
  ].join('\n');
}

function spellCommand({ words, arguments: named = {} }: Command): string {
  return [words, ...Object.keys(named).map((name) => `<${name}>`)].join(' ');
}

function describeChanges({ changes }: Command): string[] {
  if (changes === undefined) return ['Changes: nothing.'];
  return [
    `Changes: ${changes.what}. Recorded in the operator's log (audit list).`,
    'irreversible' in changes
      ? `Irreversible, asks for confirmation: ${changes.irreversible}`
      : `Undo: ${changes.undo}`,
  ];
}

export function describeExitStatuses(command: Command): string {
  const wrong = command.failsIf === undefined ? '' : `, or ${command.failsIf}`;
  const asks = irreversibleEffectOf(command) === undefined ? '' : ' or not confirmed';
  return `0 done; 1 refused or failed${wrong}; 2 not understood${asks}.`;
}

export function formatHelp(groups: CommandGroups, topic = ''): string {
  const begun = Object.values(groups)
    .flat()
    .filter(({ words }) => words === topic || words.startsWith(`${topic} `));
  const shown = Object.hasOwn(groups, topic) ? groups[topic]! : begun;
  const [only] = shown;
  if (only === undefined) return formatOverview(groups);
  if (shown.length === 1) return formatUsage(only);
  const width = Math.max(...shown.map((command) => spellCommand(command).length));
  const lines = shown.map((command) => `  ${spellCommand(command).padEnd(width)}  ${command.about}`);
  return [USAGE_HEAD, '', ...lines, '', USAGE_FOOT].join('\n');
}

function formatOverview(groups: CommandGroups): string {
  const width = Math.max(...Object.keys(groups).map((name) => name.length));
  const lines = Object.entries(groups).flatMap(([name, commands]) =>
    wrapItems(shortenCommands(commands), SCREEN_COLUMNS - width - 4).map(
      (line, index) => `  ${(index === 0 ? name : '').padEnd(width)}  ${line}`,
    ),
  );
  return [USAGE_HEAD, '', ...lines, '', USAGE_FOOT].join('\n');
}

function shortenCommands(commands: readonly Command[]): string[] {
  const firstOf = ({ words }: Command) => words.split(' ')[0]!;
  return [...Map.groupBy(commands, firstOf)].map(([first, some]) =>
    `${first} ${some.map(({ words }) => words.slice(first.length + 1)).join('|')}`.trimEnd(),
  );
}

function wrapItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + item.length + 2 <= width) lines.push(`${lines.pop()}, ${item}`);
    else lines.push(item);
  }
  return lines;
}
