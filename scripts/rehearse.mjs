// Rehearses production on this machine, as docs/production.md has it. Wants nginx and openssl, PgBouncer for the replicas, and
// Prometheus with promtool, and nothing else, for the alerts; Debian has them as packages.
import { prepare } from './prepare.mjs';
import { ROOT, runNode } from './runtime.mjs';

const NAMES = ['production', 'replicas', 'alerts'];
const [name = 'production'] = process.argv.slice(2);
if (!NAMES.includes(name)) {
  process.stderr.write(`Name one of: ${NAMES.join(', ')}. For example: npm run rehearse -- replicas\n`);
  process.exit(1);
}
prepare();
const loader = ['--import', './test/support/typescript-loader.mjs', '--disable-warning=ExperimentalWarning'];
process.exit(await runNode([...loader, `test/rehearsals/${name}.ts`], { cwd: ROOT }));
