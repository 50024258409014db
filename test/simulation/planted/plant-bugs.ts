// Plants bugs into copies of the service's sources, for whoever wants to look at them by hand:
// node --import ./test/support/typescript-loader.mjs test/simulation/planted/plant-bugs.ts <folder> [words of names …]
import { join, resolve } from 'node:path';
import { plantBug } from './plant-bug.js';
import { PLANTED_BUGS } from './planted-bugs.js';

const [folder, ...words] = process.argv.slice(2);
if (folder === undefined) throw new Error('Say into which folder: plant-bugs.ts <folder> [words of names …]');

for (const [place, bug] of PLANTED_BUGS.entries()) {
  if (words.length > 0 && !words.some((word) => bug.name.includes(word))) continue;
  const into = join(resolve(folder), String(place + 1).padStart(3, '0'));
  plantBug(process.cwd(), bug, into);
  process.stdout.write(`${into}\t${bug.shows}\t${bug.name}\n`);
}
