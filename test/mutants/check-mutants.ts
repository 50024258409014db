// `npm run check` runs this: each mutant applies once to the source, and the tests that it names exist.
import { faultsOfList } from './mutants.js';

const faults = faultsOfList(process.cwd());
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
