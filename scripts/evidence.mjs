// Measurements and long searches in full; `npm test` runs their short form. Names one: `npm run evidence -- polls`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';
import { ROOT } from './runtime.mjs';

const files = new Map();
for (const file of readdirSync(join(ROOT, 'test', 'evidence'))) {
  const [, name, project] = /^(.*)\.(bench|evidence)\.ts$/.exec(file) ?? [];
  if (name) files.set(name, { project, path: `test/evidence/${file}` });
}
const wanted = files.get(process.argv[2]);
if (!wanted) {
  const names = [...files.keys()];
  process.stderr.write(`Name one of: ${names.join(', ')}. For example: npm run evidence -- ${names[0]}\n`);
  process.exit(1);
}
prepare();
process.exit(await runJest(['--selectProjects', wanted.project, '--', wanted.path], { EVIDENCE: 'long' }));
