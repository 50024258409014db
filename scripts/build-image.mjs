// Builds the contents of the production image into the given folder: three programs, the files they read and the packages they
// need. The Dockerfile runs it; by hand it shows what the image would hold.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Name the folder to build into: node scripts/build-image.mjs image');

const DRAFT = 'dist.next';
const PROGRAMS = ['main', 'worker', 'cli'];
const READ_AT_RUNTIME = ['migrations', 'solidity/artifacts', 'package.json', 'package-lock.json', '.npmrc'];

const node = (...args) => execFileSync(process.execPath, args, { stdio: 'inherit' });

node('node_modules/@nestjs/cli/bin/nest.js', 'build', '--path', 'tsconfig.next.json');
node('scripts/bundle.mjs', DRAFT, ...PROGRAMS);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const path of READ_AT_RUNTIME) cpSync(path, join(folder, path), { recursive: true });
for (const path of readdirSync(DRAFT, { recursive: true }).filter(isBundledOrAsset))
  cpSync(join(DRAFT, path), join(folder, 'dist', path));
rmSync(DRAFT, { recursive: true });
execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });

/** Bundles lie at the top; of all else only what is sent to browsers is read as a file. */
function isBundledOrAsset(path) {
  return /^[^/]+\.js(\.map)?$/.test(path) || /\.browser\.(css|js)$/.test(path);
}
