// Rehearses production on this machine: docs/production.md. Wants nginx and openssl, which Debian has as packages.
import { prepare } from './prepare.mjs';
import { ROOT, runNode } from './runtime.mjs';

prepare();
const loader = ['--import', './test/support/typescript-loader.mjs', '--disable-warning=ExperimentalWarning'];
process.exit(await runNode([...loader, 'test/rehearsals/production.ts'], { cwd: ROOT }));
