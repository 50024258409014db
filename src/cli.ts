import 'reflect-metadata';
import { createInterface } from 'node:readline/promises';
import { readOperatorEnvironment } from './app/settings/environment.js';
import { commandGroups } from './app/operator/commands.js';
import { openOperatorContext } from './app/operator/operator-command-runner.js';
import { runOperator } from './app/operator/run-operator.js';
import { JsonLogger } from './shared/platform/logging/logger.js';

// Standard output is reserved for the command's result. The log writes only problems, to standard error.
const logger = { level: 'warn', base: { process: 'operator' }, destination: process.stderr } as const;

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

process.exitCode = await runOperator(
  {
    groups: commandGroups,
    environment: readOperatorEnvironment,
    openContext: (environment) => openOperatorContext(environment, new JsonLogger(logger)),
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  },
  process.argv.slice(2),
);
