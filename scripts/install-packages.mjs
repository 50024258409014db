// Installs the packages of a lock file without running what they bring: install scripts run only for packages that `allowScripts`
// of package.json sets to true. npm's own reading of `allowScripts` depends on its version: older ones ignore it, and npm 11 only warns.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Development dependencies also under NODE_ENV=production: they include the compiler and the tests' parts. */
const QUIETLY = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/** @returns true when the packages are installed and the allowed scripts have run in `folder` */
export function installPackages(folder) {
  return npm(folder, ['ci', '--ignore-scripts', ...QUIETLY]) && runAllowedScripts(folder);
}

function runAllowedScripts(folder) {
  const { allowScripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  return allowed.length === 0 || npm(folder, ['rebuild', '--ignore-scripts=false', ...allowed, ...QUIETLY]);
}

function npm(folder, args) {
  // npm sets npm_execpath for its scripts; without it, this process was started by hand and npm is on the path.
  const script = process.env.npm_execpath;
  // npm removes the Node of this process with the rest of node_modules, if that is the one that runs here.
  const node = process.env.npm_node_execpath ?? process.execPath;
  const [command, first] = script === undefined ? ['npm', []] : [node, [script]];
  return spawnSync(command, [...first, ...args], { cwd: folder, stdio: 'inherit' }).status === 0;
}
