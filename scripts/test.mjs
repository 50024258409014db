// The whole suite; arguments go to Jest: `npm test -- src/contexts/ledger`, `npm test -- --selectProjects unit`.
import { prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';

prepare();
process.exit(await runJest(process.argv.slice(2)));
