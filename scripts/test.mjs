// The whole suite; arguments go to Jest: `npm test -- src/contexts/ledger`, `npm test -- --selectProjects unit`.
import { prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';

prepare();
const args = process.argv.slice(2);
if (args.length > 0) process.exit(await runJest(args));

// Speed is measured last and one thing at a time: beside other tests it would be theirs that is measured.
const tested = await runJest(['--ignoreProjects', 'bench']);
const measured = await runJest(['--selectProjects', 'bench', '--runInBand']);
process.exit(tested || measured);
