// Builds the package into dist, with the license. The compiler also emits the sources of the client, so only the output of this package
// is kept.
import { execFileSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PACKAGE, '../..');
const BUILT = join(PACKAGE, 'dist');
const DRAFT = join(PACKAGE, 'dist.next');

for (const folder of [BUILT, DRAFT]) rmSync(folder, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', PACKAGE, '--outDir', DRAFT], { stdio: 'inherit' });
renameSync(join(DRAFT, 'clients/medusa-payment/src'), BUILT);
rmSync(DRAFT, { recursive: true });
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
