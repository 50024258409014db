// Builds the package into dist. Copies the generated API types, the event schema and the license from the repository.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(PACKAGE, '../..');
const BUILT = join(PACKAGE, 'dist');
/** Import of the generated types in the sources. The build rewrites it. */
const TYPES = /(['"])(?:\.\.\/)+openapi\/openapi\.js\1/g;

rmSync(BUILT, { recursive: true, force: true });
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', PACKAGE], {
  stdio: 'inherit',
});
copyFileSync(join(ROOT, 'openapi/openapi.d.ts'), join(BUILT, 'openapi.d.ts'));
copyFileSync(join(ROOT, 'openapi/events.schema.json'), join(BUILT, 'events.schema.json'));
copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
for (const name of readdirSync(BUILT, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(BUILT, name);
  const up = name.includes('/') || name.includes('\\') ? '..' : '.';
  writeFileSync(file, readFileSync(file, 'utf8').replace(TYPES, `'${up}/openapi.js'`));
}
chmodSync(join(BUILT, 'command-line/main.js'), 0o755);
