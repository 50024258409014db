import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService, connectToDatabase } from '../composition.js';
import type { EnvironmentVariables } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { commands } from './commands.js';
import { parseCommand } from './parse-command.js';
import { performCommand } from './run-operator.js';

export interface OperatorSessionOptions {
  /** Environment variables with the service's settings. Commands read no other environment. */
  readonly environment: EnvironmentVariables;
  /** Name of the operator in audit logs. */
  readonly actor: string;
}

/** Runs operator commands for a program outside the service. All commands share one connection. */
export class OperatorSession {
  private context: Promise<INestApplicationContext> | undefined;

  constructor(private readonly options: OperatorSessionOptions) {}

  /**
   * Runs one command.
   * @param words words as typed in a terminal: `pos`, `list`, `--organization`, an id
   * @returns the output of the command with `--json`, as a type that the caller chooses
   * @throws UsageError, NotConfirmed, DomainError, InvalidSettings, or an error of the database
   */
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

/**
 * Opens a Nest context with all use cases, without background work. The caller must close it.
 * @throws InvalidSettings, or an error of the database
 */
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
