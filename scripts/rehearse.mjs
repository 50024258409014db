// Rehearses production on this machine, as docs/production.md has it. Wants nginx and openssl, and PgBouncer for the
// replicas; Debian has them as packages.
import { prepare } from './prepare.mjs';
import { ROOT, runNode } from './runtime.mjs';

const [name = 'production'] = process.argv.slice(2);
if (!['production', 'replicas', 'secrets'].includes(name)) {
  process.stderr.write(
    'Name one of: production, replicas, secrets. For example: npm run rehearse -- replicas\n',
  );
  process.exit(1);
}
prepare();
const loader = ['--import', './test/support/typescript-loader.mjs', '--disable-warning=ExperimentalWarning'];
process.exit(await runNode([...loader, `test/rehearsals/${name}.ts`], { cwd: ROOT }));
