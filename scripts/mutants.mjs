// Mutation testing: `npm run mutants -- <words of a name or path> [--jobs 2]`. test/mutants/README.md says what it does.
import { prepare } from './prepare.mjs';
import { runNode } from './runtime.mjs';

prepare();
process.exit(
  await runNode([
    ...['--import', './test/support/typescript-loader.mjs', '--disable-warning=ExperimentalWarning'],
    ...['test/mutants/run-mutants.ts', ...process.argv.slice(2)],
  ]),
);
