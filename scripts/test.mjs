// The whole suite; arguments go to Jest: `npm test -- src/contexts/ledger`, `npm test -- --selectProjects unit`.
import { spawnSync } from 'node:child_process';
import { prepare, ROOT } from './prepare.mjs';

prepare();
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const { status } = spawnSync(process.execPath, [...jest, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status ?? 1);
