import 'reflect-metadata';
import { commands } from './app/operator/commands.js';
import { runOperator } from './app/operator/run-operator.js';
import { openOperatorContext } from './app/operator-context.js';

process.exitCode = await runOperator(
  {
    commands,
    openContext: openOperatorContext,
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
  },
  process.argv.slice(2),
);
