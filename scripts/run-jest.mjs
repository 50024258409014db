import { ROOT, runNode } from './runtime.mjs';

/** Jest projects of `npm test`. */
export const NEAR = ['unit', 'database', 'client', 'e2e'];
/** Jest projects of `npm run test:all -- --rest`. */
export const REST = ['pages', 'chain', 'faults', 'long', 'evidence'];
/** Measures, and asserts little: `npm run evidence -- <name>` and `npm run test:all` run it. */
export const BENCH = 'bench';

/** @returns Jest's exit code for these arguments */
export function runJest(args, env = {}) {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  // Tests that select cases at random use this seed, unless SEED is set. The last line of a run prints it.
  const RUN_SEED = String(Math.ceil(Math.random() * 1_000_000));
  return runNode([...jest, ...args], { cwd: ROOT, env: { RUN_SEED, ...process.env, ...env } });
}
