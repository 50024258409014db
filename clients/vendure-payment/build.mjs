// Builds the package into dist, with the license. The compiler also emits the sources of the client, so only the output of this package
// and of the contract is kept. Vendure is not installed here, so its types are not checked.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PACKAGE, '../..');
const BUILT = join(PACKAGE, 'dist');
const DRAFT = join(PACKAGE, 'dist.next');

for (const folder of [BUILT, DRAFT]) rmSync(folder, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', PACKAGE, '--noCheck', '--outDir', DRAFT], {
  stdio: 'inherit',
});
for (const part of ['vendure-payment', 'plugin-contract'])
  cpSync(join(DRAFT, 'clients', part, 'src'), join(BUILT, part, 'src'), { recursive: true });
rmSync(DRAFT, { recursive: true });
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
