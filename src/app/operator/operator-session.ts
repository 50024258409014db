import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService, connect } from '../composition.js';
import type { Environment } from '../settings/environment.js';
import { readSettings } from '../settings/settings.js';
import { commands } from './commands.js';
import { parseCommand } from './parse-command.js';
import { performCommand } from './run-operator.js';

export interface OperatorSessionOptions {
  /** The service's settings. Commands read no other environment. */
  readonly environment: Environment;
  /** The actor in audit logs. */
  readonly actor: string;
}

/** Runs operator commands for a program outside the service. All commands share one connection. */
export class OperatorSession {
  private context: Promise<INestApplicationContext> | undefined;

  constructor(private readonly options: OperatorSessionOptions) {}

  /**
   * @param words as typed: `pos`, `list`, `--organization`, an id
   * @returns the output with `--json`; the caller names its type
   * @throws UsageError, NotConfirmed, DomainError, InvalidSettings, or the database's error
   */
  async run<Data>(...words: string[]): Promise<Data> {
    const { environment, actor } = this.options;
    const { data } = await performCommand(parseCommand(commands, words, actor), {
      environment,
      context: () => this.opened(),
    });
    return JSON.parse(JSON.stringify(data)) as Data;
  }

  async close(): Promise<void> {
    const context = await this.context;
    this.context = undefined;
    await context?.close();
  }

  private opened(): Promise<INestApplicationContext> {
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
 * Opens the use cases without background work. The caller closes the context.
 * @throws InvalidSettings, or the database's error
 */
export async function openOperatorContext(
  environment: Environment,
  logger: JsonLogger,
): Promise<INestApplicationContext> {
  const settings = readSettings(environment);
  const dataSource = await connect('operator', settings, logger);
  return NestFactory.createApplicationContext(composeService('operator', settings, dataSource), {
    logger,
    abortOnError: false,
  });
}
