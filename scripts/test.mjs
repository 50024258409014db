// `npm test` runs the tests that a change needs, `npm run test:all` all tests; docs/contributing/testing.md says which is which.
// Arguments go to Jest and select among all tests: `npm test -- src/contexts/ledger`, `npm test -- --selectProjects unit`.
// `npm run test:all -- --rest` omits the tests of `npm test`, and benches.
import { prepare } from './prepare.mjs';
import { BENCH, NEAR, REST, runJest } from './run-jest.mjs';

const OURS = ['--all', '--rest'];

const [isAll, isRest] = OURS.map((option) => process.argv.includes(option));
const args = process.argv.slice(2).filter((argument) => !OURS.includes(argument));
const namesTests = args.some((argument) => !/^(-|\d+$)/.test(argument));

prepare();
process.exit(namesTests ? await runJest(args) : await runKinds());

/** Runs all tests of the selected kinds, as bundles. */
function runKinds() {
  const kinds = isRest ? REST : isAll ? [...NEAR, ...REST, BENCH] : NEAR;
  const config = ['--config', 'jest.joined.config.js', '--selectProjects', ...kinds];
  return runJest([...args, ...config], { TEST_KINDS: kinds.join() });
}
