// `npm test` runs the tests that a change needs, `npm run test:all` all tests; docs/contributing/testing.md says which is which.
// Arguments go to Jest and select among all tests: `npm test -- src/contexts/ledger`, `npm test -- --selectProjects unit`.
// `npm run test:all -- --rest` omits the tests of `npm test`, and benches.
import { prepare } from './prepare.mjs';
import { BENCH, REST, runJest } from './run-jest.mjs';

const OURS = ['--all', '--rest'];

const [isAll, isRest] = OURS.map((option) => process.argv.includes(option));
const args = process.argv.slice(2).filter((argument) => !OURS.includes(argument));
const namesTests = args.some((argument) => !/^(-|\d+$)/.test(argument));

/** The tests of `npm test` are bundled, unless some of them are named. */
const config = namesTests || isRest ? [] : ['--config', 'jest.joined.config.js'];

function projects() {
  if (isRest) return ['--selectProjects', ...REST];
  return isAll || namesTests ? [] : ['--ignoreProjects', ...REST, BENCH];
}

prepare();
process.exit(await runJest([...config, ...args, ...projects()]));
