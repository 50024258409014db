import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { Environment } from '../settings/environment.js';
import type { Answer, Command, Foretold } from './command.js';
import { type CommandArguments, CONFIRMED } from './command-arguments.js';
import { type OperatorAction, OperatorActions } from './operator-actions.js';
import type { ParsedCommand } from './parse-command.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';

/** A command that cannot be undone was not confirmed: exit status 2, and nothing was done. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

export interface CommandPlace {
  readonly environment: Environment;
  /** Asked for by commands of the service alone. */
  context(): Promise<INestApplicationContext>;
  /** Asks a person who is there. Absent: nobody is, and `--yes` alone confirms. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/**
 * Runs a command: what cannot be undone is confirmed first, and what changes anything is written to the operator's log.
 * @throws NotConfirmed, or what the command throws
 */
export async function performCommand({ command, args }: ParsedCommand, place: CommandPlace): Promise<Answer> {
  const changes = command.changes?.onlyReads?.(args) === true ? undefined : command.changes;
  if (changes !== undefined && 'irreversible' in changes && !args.flag(CONFIRMED))
    await confirm(command, args, place, changes.irreversible);
  const action = { actor: args.actor, command: command.words, given: args.given() };
  if ('runAlone' in command) {
    const { environment } = place;
    const run = () => command.runAlone(args, environment);
    if (changes === undefined) return run();
    return withDatabase(environment, (database) => recorded(database, changes.audited, action, run));
  }
  const context = await place.context();
  const run = () => command.run(context, args);
  if (changes === undefined) return run();
  return recorded(context.get(Database, { strict: false }), changes.audited, action, run);
}

function recorded(
  database: Database,
  audited: NonNullable<Command['changes']>['audited'],
  action: OperatorAction,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const actions = new OperatorActions(database);
  if (audited === 'with it') return actions.recordedWith(action, run);
  return audited === 'around it' ? actions.recordedAround(action, run) : actions.recordedAfter(action, run);
}

async function confirm(
  command: Command,
  args: CommandArguments,
  place: CommandPlace,
  irreversible: string,
): Promise<void> {
  const foretold = await foretell(command, args, place);
  if (foretold === null) return;
  if (place.ask === undefined) {
    throw new NotConfirmed(`${foretold.says} ${irreversible} Nothing was done: add --yes to confirm it.`);
  }
  const typed = await place.ask(`${foretold.says}\n${irreversible}\nType ${foretold.type} to go on: `);
  if (typed.trim() !== foretold.type) throw new NotConfirmed('It was not confirmed. Nothing was done.');
}

async function foretell(
  command: Command,
  args: CommandArguments,
  place: CommandPlace,
): Promise<Foretold | null> {
  if ('runAlone' in command) {
    const { changes } = command;
    return changes !== undefined && 'foretell' in changes ? changes.foretell(args, place.environment) : null;
  }
  const { changes } = command;
  return changes !== undefined && 'foretell' in changes
    ? changes.foretell(await place.context(), args)
    : null;
}

/** One connection to DATABASE_URL, for a command that runs beside the service. @throws InvalidSettings, or the database's error */
export async function withDatabase<Result>(
  environment: Environment,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres', 'postgresql']);
  reader.finish();
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 1,
    applicationName: 'operator',
    timeouts: 'none',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
