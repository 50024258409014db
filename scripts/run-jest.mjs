import { ROOT, runNode } from './runtime.mjs';

/** Jest projects of `npm run test:all` alone. */
export const ONLY_IN_ALL = ['long', 'evidence', 'bench'];

/** @returns Jest's exit code for these arguments */
export function runJest(args, env = {}) {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  return runNode([...jest, ...args], { cwd: ROOT, env: { ...process.env, ...env } });
}
