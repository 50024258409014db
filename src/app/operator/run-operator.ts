import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { isTransientDatabaseError } from '#shared/platform/database/transient-error.js';
import type { Environment } from '../settings/environment.js';
import type { Answer, Command } from './command.js';
import { findCommand, parseCommand } from './parse-command.js';
import { NotConfirmed, performCommand } from './perform-command.js';
import { renderAnswer } from './render-answer.js';
import { usageOf, usageOfAll } from './usage.js';
import { UsageError } from './command-arguments.js';

export interface OperatorHost {
  readonly commands: readonly Command[];
  /** The process's environment; read only for a command that was understood. */
  environment(): Environment;
  /** Opened only for a command that was understood, and closed after it. */
  openContext(environment: Environment): Promise<INestApplicationContext>;
  out(text: string): void;
  err(text: string): void;
  /** Asks a person. Absent: nobody is there. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** @returns the exit status: 0 done, 1 refused or failed, 2 not understood, or not confirmed */
export async function runOperator(host: OperatorHost, args: readonly string[]): Promise<number> {
  const json = args.includes('--json');
  const words = args.filter((word) => word !== '--json' && word !== '--help');
  if (words[0] === 'help' || args.includes('--help')) {
    const topic = words[0] === 'help' ? words.slice(1) : words;
    host.out(usageOfAll(host.commands, topic.filter((word) => !word.startsWith('-')).join(' ')));
    return 0;
  }
  try {
    const { data, note, exitCode } = await execute(json ? { ...host, ask: undefined } : host, words);
    host.out(
      json ? JSON.stringify(data, null, 2) : renderAnswer({ data, ...(note === undefined ? {} : { note }) }),
    );
    return exitCode ?? 0;
  } catch (error) {
    const { code, message, exitCode } = describe(error);
    if (json) host.err(JSON.stringify({ code, message }));
    else host.err(error instanceof UsageError ? `${message}\n\n${usageFor(host, words)}` : message);
    return exitCode;
  }
}

async function execute(host: OperatorHost, words: readonly string[]): Promise<Answer> {
  const parsed = parseCommand(host.commands, words);
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

function usageFor({ commands }: OperatorHost, words: readonly string[]): string {
  const command = findCommand(commands, words);
  return command === undefined ? usageOfAll(commands, words[0]) : usageOf(command);
}

function describe(error: unknown): { code: string; message: string; exitCode: number } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exitCode: 2 };
  if (error instanceof NotConfirmed) return { code: 'not_confirmed', message: error.message, exitCode: 2 };
  if (error instanceof DomainError) return { code: error.code, message: error.message, exitCode: 1 };
  if (isTransientDatabaseError(error)) {
    return { code: 'unavailable', message: 'The database does not answer. Is it running?', exitCode: 1 };
  }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), exitCode: 1 };
}
