// Brings a fresh clone to where it can run, with Node and npm alone: so this file may import nothing but Node.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LEAST_NODE = [20, 19];

/** Installs and builds what is missing or out of date, saying so, and stops with a sentence when it cannot. */
export function prepare() {
  checkNode();
  step(
    'node_modules/.installed',
    fingerprint(['package.json', 'package-lock.json']),
    'Installing dependencies',
    install,
  );
  const sources = [
    'src',
    'migrations',
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
    'package-lock.json',
  ];
  step('dist/.built', fingerprint(sources), 'Building', build);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  stop(`Node ${process.versions.node} is too old: this needs Node ${LEAST_NODE.join('.')} or newer.`);
}

function step(marker, wanted, title, work) {
  const file = join(ROOT, marker);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) return;
  const begun = Date.now();
  process.stderr.write(`${title} …\n`);
  work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
  process.stderr.write(`${title}: done in ${((Date.now() - begun) / 1000).toFixed(1)} s\n`);
}

function install() {
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm sets npm_execpath for its scripts; without it we were started by hand and npm is on the path.
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: ROOT, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit' });
  if (result.status !== 0) {
    stop(
      'The dependencies could not be installed. Check that npm is installed and can reach its registry, then run this again.',
    );
  }
}

function build() {
  try {
    execFileSync(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], {
      cwd: ROOT,
      stdio: 'pipe',
    });
  } catch (error) {
    stop(`The build failed:\n${error.stdout}${error.stderr}`);
  }
}

function fingerprint(paths) {
  const hash = createHash('sha256').update(process.versions.modules);
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

function stop(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}
