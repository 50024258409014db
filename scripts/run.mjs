// Prepares the clone, then runs a built program, in this process where its Node is the right one.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { endWithParent, isRightNode, ROOT, runNode } from './runtime.mjs';

const [program, ...args] = process.argv.slice(2);
prepare();
if (!isRightNode) process.exit(await runNode([fileURLToPath(import.meta.url), program, ...args]));
endWithParent();
const file = join(ROOT, program);
process.argv = [process.argv[0], file, ...args];
await import(pathToFileURL(file).href);
