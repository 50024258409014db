import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService, connectToDatabase } from '../composition.js';
import type { EnvironmentVariables } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { commands } from './commands.js';
import { parseCommand } from './parse-command.js';
import { performCommand } from './run-operator.js';

export interface OperatorCommandRunnerOptions {
  readonly environment: EnvironmentVariables;
  readonly actor: string;
}

/** For programs outside the service. All commands share one connection. */
export class OperatorCommandRunner {
  private context: Promise<INestApplicationContext> | undefined;

  constructor(private readonly options: OperatorCommandRunnerOptions) {}

  /** @param words as typed in a terminal @returns the output with `--json`, as a type that the caller chooses */
  async run<Data>(...words: string[]): Promise<Data> {
    const { environment, actor } = this.options;
    const { data } = await performCommand(parseCommand(commands, words, actor), {
      environment,
      context: () => this.openContext(),
    });
    return JSON.parse(JSON.stringify(data)) as Data;
  }

  async close(): Promise<void> {
    const context = await this.context;
    this.context = undefined;
    await context?.close();
  }

  private openContext(): Promise<INestApplicationContext> {
    this.context ??= openOperatorContext(this.options.environment, new JsonLogger({ level: 'silent' })).catch(
      (error: unknown) => {
        this.context = undefined;
        throw error;
      },
    );
    return this.context;
  }
}

/** Without background work. The caller must close the context. */
export async function openOperatorContext(
  environment: EnvironmentVariables,
  logger: JsonLogger,
): Promise<INestApplicationContext> {
  const settings = readSettings(environment);
  const dataSource = await connectToDatabase('operator', settings, logger);
  return NestFactory.createApplicationContext(composeService('operator', settings, dataSource), {
    logger,
    abortOnError: false,
  });
}
