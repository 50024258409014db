// Installs and builds what a fresh clone lacks, with Node and npm alone: so this file imports nothing but Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { exclusively } from './exclusively.mjs';
import { installPackages } from './install-packages.mjs';
import { ROOT, runtime, stop } from './runtime.mjs';

/** The oldest Node that these scripts start on: they install the one that everything else runs on. */
const MIN_NODE = [20, 19];

/** The folder that is built into. */
const DRAFT = join(ROOT, 'dist.next');
const SOURCES = [
  'src',
  'sandbox',
  'clients/typescript/src',
  'clients/checkout-button/src',
  'clients/checkout-button/bundle.mjs',
  'migrations',
  'scripts/bundle.mjs',
  'scripts/bundle-options.mjs',
  'scripts/compiler-options.mjs',
  'scripts/own-modules.mjs',
  'package-lock.json',
];

/** A marker file holds the fingerprint of the files that the step was done for. */
const STEPS = [
  {
    title: 'Installing dependencies',
    marker: join(ROOT, 'node_modules', '.installed'),
    fingerprint: () => fingerprintOf(['package.json', 'package-lock.json']),
    work: install,
  },
  {
    title: 'Building',
    marker: join(ROOT, 'dist', '.built'),
    fingerprint: () => fingerprintOf(SOURCES),
    work: build,
  },
];

/**
 * Installs and builds what is missing or out of date, saying so. Ends this process with a sentence when it cannot, or
 * when what is installed lacks the Node to run on.
 */
export function prepare() {
  checkNode();
  if (!STEPS.every(isDone)) {
    exclusively(join(ROOT, 'dist.lock'), () => {
      for (const step of STEPS) if (!isDone(step)) run(step);
    });
  }
  runtime();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  stop(`Node ${process.versions.node} is too old: this needs Node ${MIN_NODE.join('.')} or newer.`);
}

function isDone({ marker, fingerprint }) {
  return existsSync(marker) && readFileSync(marker, 'utf8') === fingerprint();
}

function run({ title, marker, fingerprint, work }) {
  const begun = Date.now();
  // Read before the work: what changes meanwhile is done again the next time.
  const print = fingerprint();
  process.stderr.write(`${title} …\n`);
  work();
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, print);
  process.stderr.write(`${title}: done in ${((Date.now() - begun) / 1000).toFixed(1)} s\n`);
}

function install() {
  const modules = join(ROOT, 'node_modules');
  // npm empties the folder first, and through a link it would empty a folder of another clone.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    stop(
      `${modules} is a link, and installing would empty where it leads. Remove the link, then run this again.`,
    );
  }
  if (!installPackages(ROOT)) {
    stop(
      'The dependencies could not be installed. Check that npm is installed and can reach its registry, then run this again.',
    );
  }
}

/** Builds beside the old folder, which running programs keep using until the new one is complete. */
function build() {
  try {
    execFileSync(runtime(), ['scripts/bundle.mjs', 'dist.next'], { cwd: ROOT, stdio: 'pipe' });
  } catch (error) {
    rmSync(DRAFT, { recursive: true, force: true });
    stop(`The build failed:\n${error.stdout}${error.stderr}`);
  }
  const [built, old] = [join(ROOT, 'dist'), join(ROOT, `dist.old-${process.pid}`)];
  if (existsSync(built)) renameSync(built, old);
  renameSync(DRAFT, built);
  try {
    rmSync(old, { recursive: true, force: true });
  } catch {
    process.stderr.write(`${old} could not be removed; it is not used any more.\n`);
  }
}

function fingerprintOf(paths) {
  const hash = createHash('sha256');
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
