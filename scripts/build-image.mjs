// Builds the contents of the production image into the given folder: three programs, the files they read and the packages they
// need. The Dockerfile runs it; by hand it shows what the image would hold.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLED_BESIDE_BUNDLE } from './bundle-options.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Name the folder to build into: node scripts/build-image.mjs image');

const PROGRAMS = ['src/main', 'src/worker', 'src/cli'];
const READ_AT_RUNTIME = ['migrations', 'solidity/artifacts', 'package.json', 'package-lock.json', '.npmrc'];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const bundle = ['--disable-warning=ExperimentalWarning', 'scripts/bundle.mjs', join(folder, 'dist')];
execFileSync(process.execPath, [...bundle, ...PROGRAMS], { stdio: 'inherit' });
for (const path of READ_AT_RUNTIME) cpSync(path, join(folder, path), { recursive: true });
installOnly(INSTALLED_BESIDE_BUNDLE);

/** Installs the locked versions of these packages, because the bundle contains all others. */
function installOnly(names) {
  const path = join(folder, 'package.json');
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  delete manifest.devDependencies;
  const locked = names.map((name) => [name, packages[`node_modules/${name}`].version]);
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies: Object.fromEntries(locked) }, null, 2));
  const options = ['--omit=dev', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
}
