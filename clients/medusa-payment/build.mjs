// Builds the package into dist, with what npm packs beside it. The compiler reads the sources of the client, and writes them beside those
// of the package: these alone are kept.
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
