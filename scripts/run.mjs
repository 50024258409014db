// Prepares the clone, then runs a built program in this very process, so that signals reach it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, ROOT } from './prepare.mjs';

const [program, ...args] = process.argv.slice(2);
prepare();
const file = join(ROOT, program);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);
