// Rehearses production on this machine. docs/operating/production.md describes each rehearsal and the packages it needs.
import { prepare } from './prepare.mjs';
import { ROOT, runNode } from './runtime.mjs';

const NAMES = [
  'production',
  'replicas',
  'secrets',
  'recovery',
  'upgrade',
  'soak',
  'alerts',
  'chart',
  'image',
  'failover',
  'medusa',
  'vendure',
];
const [name = 'production', ...rest] = process.argv.slice(2);
if (!NAMES.includes(name)) {
  process.stderr.write(`Name one of: ${NAMES.join(', ')}. For example: npm run rehearse -- replicas\n`);
  process.exit(1);
}
prepare();
const loader = ['--import', './test/support/typescript-loader.mjs', '--disable-warning=ExperimentalWarning'];
process.exit(await runNode([...loader, `test/rehearsals/${name}.ts`, ...rest], { cwd: ROOT }));
