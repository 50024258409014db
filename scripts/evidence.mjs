// Measurements and long searches in full; `npm test` runs their short form. Names one: `npm run evidence -- polls`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';

const FOLDER = join(ROOT, 'test', 'bench');
const [name = ''] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(name) || !existsSync(join(FOLDER, `${name}.bench.ts`))) {
  const names = readdirSync(FOLDER).flatMap((file) => file.match(/^(.*)\.bench\.ts$/)?.[1] ?? []);
  process.stderr.write(`Name one of: ${names.join(', ')}. For example: npm run evidence -- ${names[0]}\n`);
  process.exit(1);
}
prepare();
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...['--selectProjects', 'bench', '--', `test/bench/${name}.bench.ts`],
  ],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, EVIDENCE: 'long' } },
);
process.exit(status ?? 1);
