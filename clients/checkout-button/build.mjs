// Builds the minified module and its types into dist or the given folder. Copies the license.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleButton } from './bundle.mjs';

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PACKAGE, '../..');
const BUILT = resolve(process.argv[2] ?? join(PACKAGE, 'dist'));

rmSync(BUILT, { recursive: true, force: true });
await bundleButton(join(BUILT, 'button.js'));
const types = ['-p', PACKAGE, '--emitDeclarationOnly', '--outDir', BUILT];
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...types], {
  stdio: 'inherit',
});
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
