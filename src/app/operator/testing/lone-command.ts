import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { CommandResult } from '../command-result.js';
import { CommandArguments, type ChangePreview, type ServiceCommand } from '../command.js';

type Values = Readonly<Record<string, string>>;

/** Runs one command on given use cases, without a database. Every organization is named "Example Shops". */
export class SingleCommand {
  private readonly command: ServiceCommand;
  private readonly context: INestApplicationContext;

  constructor(commands: readonly ServiceCommand[], words: string, parts: Iterable<[unknown, object]>) {
    this.command = commands.find((each) => each.words === words)!;
    const database = { query: async () => [{ name: 'Example Shops' }] };
    this.context = new Map<unknown, object>([
      [Database, database],
      ...parts,
    ]) as unknown as INestApplicationContext;
  }

  answer(values: Values): Promise<CommandResult> {
    return this.command.run(this.context, argumentsOf(values));
  }

  async run(values: Values): Promise<unknown> {
    const { data } = await this.answer(values);
    return JSON.parse(JSON.stringify(data));
  }

  async preview(values: Values): Promise<string | undefined> {
    const { changes } = this.command;
    if (changes === undefined || !('preview' in changes)) return undefined;
    const shown: ChangePreview | null = await changes.preview(this.context, argumentsOf(values));
    return shown?.effect;
  }
}

function argumentsOf(values: Values): CommandArguments {
  return new CommandArguments(new Map(Object.entries(values)), 'operator anna');
}
