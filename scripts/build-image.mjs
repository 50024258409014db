// Builds the contents of the production image into the given folder: three programs, the files they read and the packages they
// need. The Dockerfile runs it; by hand it shows what the image would hold.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

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
execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
