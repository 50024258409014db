// Compares the lines of each part of the source (without tests) with scripts/size-budget.json. A raised number is
// visible in the change. `--write` sets each budget to the present size, rounded up.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const BUDGET = 'scripts/size-budget.json';
const STEP = 50;
/** The most specific part that contains a file counts its lines. */
const budget = JSON.parse(readFileSync(BUDGET, 'utf8'));
const parts = Object.keys(budget).sort((a, b) => b.length - a.length);

const isSource = (file) =>
  /\.(ts|tsx|js|css|py|sol)$/.test(file) &&
  !/\.(int-)?spec\.|\.test\.|\/(test|testing|artifacts)\//.test(file);

const lines = Object.fromEntries(parts.map((part) => [part, 0]));
const outside = [];
for (const file of execFileSync('git', ['ls-files', 'src', 'sandbox', 'clients'], { encoding: 'utf8' })
  .trim()
  .split('\n')) {
  if (!isSource(file)) continue;
  const part = parts.find((each) => file.startsWith(each));
  if (part === undefined) outside.push(file);
  else lines[part] += readFileSync(file, 'utf8').split('\n').length - 1;
}

if (process.argv.includes('--write')) {
  const sizes = Object.keys(budget).map((part) => [part, Math.ceil(lines[part] / STEP) * STEP]);
  writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(sizes), null, 2)}\n`);
} else {
  const exceeded = parts.filter((part) => lines[part] > budget[part]);
  for (const part of exceeded)
    process.stdout.write(`${part} has ${lines[part]} lines; its budget is ${budget[part]}.\n`);
  for (const file of outside) process.stdout.write(`${file} is in no part of ${BUDGET}.\n`);
  process.exit(exceeded.length + outside.length > 0 ? 1 : 0);
}
