// Runs the simulator: `npm run simulate -- --seed 7 --days 10`. With `mutants` first, it is run against mutants. What it does
// is in test/simulation/README.md.
import { prepare } from './prepare.mjs';
import { runNode } from './runtime.mjs';

const [first, ...rest] = process.argv.slice(2);
const isHunt = first === 'mutants';

prepare();
process.exit(
  await runNode([
    ...['--import', './test/simulation/process/loader.mjs'],
    ...['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'],
    isHunt ? 'test/simulation/mutants/find-mutants.ts' : 'test/simulation/simulate.ts',
    ...(isHunt ? rest : process.argv.slice(2)),
  ]),
);
