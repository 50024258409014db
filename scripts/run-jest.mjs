import { spawnSync } from 'node:child_process';
import { ROOT } from './prepare.mjs';

/** @returns Jest's exit code for these arguments */
export function runJest(args, env = {}) {
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const { status } = spawnSync(process.execPath, [...jest, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}
