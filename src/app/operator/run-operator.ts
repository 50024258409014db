import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { Database } from '#shared/platform/database/database.js';
import { CommitNotReplicated } from '#shared/platform/database/service-client.js';
import {
  isReadOnlyError,
  isTransientDatabaseError,
  WritesStoppedError,
} from '#shared/platform/database/transient-error.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import type { EnvironmentVariables } from '../settings/environment.js';
import { withDataSource } from '../with-data-source.js';
import { type CommandResult, renderCommandResult } from './command-result.js';
import { OperatorLog } from './audit/operator-log.js';
import { acceptLostCommitsCommand } from './maintenance/recover-command.js';
import {
  type CommandGroups,
  CONFIRMATION_OPTION,
  irreversibleEffectOf,
  type ChangePreview,
  UsageError,
} from './command.js';
import { findCommand, parseCommand, type ParsedCommand } from './parse-command.js';
import { formatHelp, formatUsage } from './usage.js';

export class CommandNotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

export interface OperatorHost {
  readonly groups: CommandGroups;
  environment(): EnvironmentVariables;
  /** Called only for a parsed service command; closed afterwards. */
  openContext(environment: EnvironmentVariables): Promise<INestApplicationContext>;
  out(text: string): void;
  err(text: string): void;
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** @returns exit status: 0 success, 1 rejected or failed, 2 invalid usage or not confirmed */
export async function runOperator(host: OperatorHost, typed: readonly string[]): Promise<number> {
  const args = typed.map((word) => word.normalize('NFC'));
  const json = args.includes('--json');
  const words = args.filter((word) => word !== '--json' && word !== '--help');
  if (words[0] === 'help' || args.includes('--help')) {
    const topic = words[0] === 'help' ? words.slice(1) : words;
    host.out(formatHelp(host.groups, topic.filter((word) => !word.startsWith('-')).join(' ')));
    return 0;
  }
  try {
    const answer = await executeCommand(json ? { ...host, ask: undefined } : host, words);
    host.out(json ? JSON.stringify(answer.data, null, 2) : renderCommandResult(answer));
    return answer.exitCode ?? 0;
  } catch (error) {
    const { code, message, exitCode } = describeError(error);
    if (json) host.err(JSON.stringify({ code, message }));
    else host.err(error instanceof UsageError ? `${message}\n\n${usageForWords(host, words)}` : message);
    return exitCode;
  }
}

async function executeCommand(host: OperatorHost, words: readonly string[]): Promise<CommandResult> {
  const parsed = parseCommand(Object.values(host.groups).flat(), words);
  const environment = host.environment();
  let opened: INestApplicationContext | undefined;
  try {
    return await performCommand(parsed, {
      environment,
      context: async () => (opened ??= await host.openContext(environment)),
      ask: host.ask,
    });
  } finally {
    await opened?.close();
  }
}

function usageForWords({ groups }: OperatorHost, words: readonly string[]): string {
  const command = findCommand(Object.values(groups).flat(), words);
  return command === undefined ? formatHelp(groups, words[0]) : formatUsage(command);
}

function describeError(error: unknown): { code: string; message: string; exitCode: number } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exitCode: 2 };
  if (error instanceof CommandNotConfirmed)
    return { code: 'not_confirmed', message: error.message, exitCode: 2 };
  if (error instanceof DomainError) return { code: error.code, message: error.message, exitCode: 1 };
  if (error instanceof CommitNotReplicated)
    return {
      code: 'unknown_outcome',
      message: `${error.message} The change may have been made. Check before you repeat the command.`,
      exitCode: 1,
    };
  if (isReadOnlyError(error)) return { code: 'unavailable', message: error.message, exitCode: 1 };
  if (isTransientDatabaseError(error)) {
    return { code: 'unavailable', message: 'The database does not respond. Is it running?', exitCode: 1 };
  }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode: 1 };
}

export interface CommandEnvironment extends Pick<OperatorHost, 'ask'> {
  readonly environment: EnvironmentVariables;
  context(): Promise<INestApplicationContext>;
}

/** Without `ask`, only `--yes` confirms an irreversible change. @throws CommandNotConfirmed, or the command's error */
export async function performCommand(
  { command, args }: ParsedCommand,
  place: CommandEnvironment,
): Promise<CommandResult> {
  const isAlone = 'runAlone' in command;
  const run = async () =>
    isAlone ? command.runAlone(args, place.environment) : command.run(await place.context(), args);
  const changes = command.changes?.onlyReads?.(args) === true ? undefined : command.changes;
  if (changes === undefined) return run();
  if (!args.flag(CONFIRMATION_OPTION)) await requireConfirmation({ command, args }, place);
  const action = { actor: args.actor, command: command.words, arguments: args.toRecord() };
  const record = async (database: Database) => {
    if (command !== acceptLostCommitsCommand) await requireWritingAllowed(database);
    return new OperatorLog(database).record(changes.audited, action, run);
  };
  return isAlone ? withDatabase(place.environment, record) : record((await place.context()).get(Database));
}

/** A detected loss of data stops commands too, until it is recovered. @throws WritesStoppedError */
async function requireWritingAllowed(database: Database): Promise<void> {
  const [known] = await database.query<{ table: string | null }>(
    `SELECT to_regclass('platform.losses')::text AS "table"`,
  );
  // The database has the schema of an earlier release, which `migrate` will update.
  if (known!.table === null) return;
  const open = await database.query('SELECT FROM platform.losses WHERE recovered_at IS NULL LIMIT 1');
  if (open.length > 0) throw new WritesStoppedError();
}

async function requireConfirmation(
  { command, args }: ParsedCommand,
  place: CommandEnvironment,
): Promise<void> {
  const irreversible = irreversibleEffectOf(command);
  if (irreversible === undefined) return;
  const preview = await previewChange({ command, args }, place);
  if (preview === null) return;
  const { effect, confirmedBy } = preview;
  if (place.ask === undefined)
    throw new CommandNotConfirmed(`${effect} ${irreversible} Nothing was done. Add --yes to confirm.`);
  const typed = await place.ask(`${effect}\n${irreversible}\nType ${confirmedBy} to continue: `);
  if (typed.trim().normalize('NFC') !== confirmedBy)
    throw new CommandNotConfirmed('Not confirmed. Nothing was done.');
}

async function previewChange(
  { command, args }: ParsedCommand,
  place: CommandEnvironment,
): Promise<ChangePreview | null> {
  if ('runAlone' in command) {
    const { changes } = command;
    return changes !== undefined && 'preview' in changes ? changes.preview(args, place.environment) : null;
  }
  const { changes } = command;
  return changes !== undefined && 'preview' in changes ? changes.preview(await place.context(), args) : null;
}

export async function withDatabase<Result>(
  environment: EnvironmentVariables,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.databaseUrl('DATABASE_URL');
  reader.requireValid();
  const connection = { databaseUrl, poolSize: 1, applicationName: 'operator' };
  return withDataSource(connection, (dataSource) => work(new Database(dataSource)));
}
