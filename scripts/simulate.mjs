// Runs the simulator: `npm run simulate -- --seed 7 --days 10`. With `planted` first, it is run against planted bugs. What it does
// is in test/simulation/README.md.
import { prepare } from './prepare.mjs';
import { runNode } from './runtime.mjs';

const [first, ...rest] = process.argv.slice(2);
const isPlanted = first === 'planted';

prepare();
process.exit(
  await runNode([
    ...['--import', './test/simulation/process/loader.mjs'],
    ...['--disable-warning=ExperimentalWarning', '--disable-warning=DeprecationWarning'],
    isPlanted ? 'test/simulation/planted/find-planted-bugs.ts' : 'test/simulation/simulate.ts',
    ...(isPlanted ? rest : process.argv.slice(2)),
  ]),
);
