import { type Command, irreversibleOf } from './command.js';

const PROGRAM = 'npm run --silent operator --';

const HEAD = `Usage: ${PROGRAM} <command> [options]

Every command takes --json for output that programs read, and --help.
What changes anything is written to the operator's log (audit list).
Exit status: 0 done; 1 refused, failed, or something is wrong; 2 not understood, or not confirmed.`;

/** Usage of one command: arguments, options, what it changes, an example and its exit statuses. */
export function usageOf(command: Command): string {
  const { words, about, arguments: named = {}, options = {}, example } = command;
  const irreversible = irreversibleOf(command);
  const rows: [string, string][] = [
    ...Object.entries(named).map(([name, says]): [string, string] => [`<${name}>`, says]),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      option.value === undefined ? `--${name}` : `--${name} <${option.value}>`,
      option.about + (option.required ? ' (required)' : ''),
    ]),
    ...(irreversible === undefined
      ? []
      : [['--yes', 'confirm what cannot be undone, where nobody can be asked'] as [string, string]]),
    ['--json', 'print JSON, for programs'],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `Usage: ${PROGRAM} ${spelled(command)} [options]`,
    '',
    about,
    ...rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`),
    '',
    ...changesOf(command),
    `Example: ${PROGRAM} ${`${words} ${example}`.trim()}`,
    `Exit status: ${exitStatusesOf(command)}`,
  ].join('\n');
}

/** The words of a command with the arguments that follow them. */
function spelled({ words, arguments: named = {} }: Command): string {
  return [words, ...Object.keys(named).map((name) => `<${name}>`)].join(' ');
}

function changesOf({ changes }: Command): string[] {
  if (changes === undefined) return ['Changes: nothing.'];
  return [
    `Changes: ${changes.what}. It is written to the operator's log (audit list).`,
    'irreversible' in changes
      ? `Cannot be undone, and asks: ${changes.irreversible}`
      : `Undone: ${changes.undo}`,
  ];
}

export function exitStatusesOf(command: Command): string {
  const wrong = command.failsIf === undefined ? '' : `, or ${command.failsIf}`;
  const asks = irreversibleOf(command) === undefined ? '' : ', or not confirmed';
  return `0 done; 1 refused or failed${wrong}; 2 not understood${asks}.`;
}

/** Usage of the commands that begin with `beginning`; of all where none does. */
export function usageOfAll(commands: readonly Command[], beginning = ''): string {
  const matching = commands.filter(({ words }) => words === beginning || words.startsWith(`${beginning} `));
  const shown = matching.length > 0 ? matching : commands;
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) return usageOf(only);
  const width = Math.max(...shown.map((command) => spelled(command).length));
  const lines = shown.map((command) => `  ${spelled(command).padEnd(width)}  ${command.about}`);
  return [HEAD, '', ...lines].join('\n');
}
