import 'reflect-metadata';
import { readOperatorEnvironment } from './app/environment.js';
import { commands } from './app/operator/commands.js';
import { openOperatorContext } from './app/operator/operator-session.js';
import { runOperator } from './app/operator/run-operator.js';
import { JsonLogger } from './shared/platform/logging/logger.js';

// Standard output belongs to the command: the log says only what is wrong, on standard error.
const logger = { level: 'warn', base: { process: 'operator' }, destination: process.stderr } as const;

process.exitCode = await runOperator(
  {
    commands,
    environment: readOperatorEnvironment,
    openContext: (environment) => openOperatorContext(environment, new JsonLogger(logger)),
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
  },
  process.argv.slice(2),
);
