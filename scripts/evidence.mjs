// Runs one measurement, long search or matrix of faults in full, by its name: `npm run evidence -- polls`. The test commands run
// the short forms.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';
import { ROOT } from './runtime.mjs';

const files = new Map();
const PROJECTS = { bench: 'bench', evidence: 'evidence', fault: 'faults' };
files.set('route-matrix', { project: 'e2e', path: 'test/e2e/access.e2e.ts' });
files.set('revocations', {
  project: 'e2e',
  path: 'test/e2e/access.e2e.ts',
  only: 'A credential that is used on two replicas',
});
files.set('hostile-values', { project: 'long', path: 'test/long/hostile-values.e2e.ts' });
for (const folder of ['evidence', 'faults', 'long'])
  for (const file of readdirSync(join(ROOT, 'test', folder))) {
    const [, name, kind] = /^(.*)\.(bench|evidence|fault)\.ts$/.exec(file) ?? [];
    const project = folder === 'long' ? 'long' : PROJECTS[kind];
    if (name) files.set(name, { project, path: `test/${folder}/${file}` });
  }
const chosen = files.get(process.argv[2]);
if (!chosen) {
  const names = [...files.keys()];
  process.stderr.write(`Name one of: ${names.join(', ')}. For example: npm run evidence -- ${names[0]}\n`);
  process.exit(1);
}
prepare();
const only = chosen.only === undefined ? [] : ['--testNamePattern', chosen.only];
process.exit(
  await runJest(['--selectProjects', chosen.project, ...only, '--', chosen.path], { EVIDENCE: 'long' }),
);
