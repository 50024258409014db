// `npm run simulate`: see README.md beside this file.
import { parseArgs } from 'node:util';
import { FAULT_LEVELS } from './faults/faults.js';
import type { RunReport } from './run/run-order.js';
import { Runs } from './run/runs.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '10' },
    merchants: { type: 'string', default: '10' },
    /** So many of each merchant a day. */
    acts: { type: 'string', default: '3' },
    faults: { type: 'string', default: 'all' },
    root: { type: 'string', default: process.cwd() },
    print: { type: 'boolean', default: false },
    'go-on': { type: 'boolean', default: false },
    logs: { type: 'boolean', default: false },
  },
});

const first = Number(values.seed ?? Math.ceil(Math.random() * 1_000_000));
const faults = FAULT_LEVELS.find((level) => level === values.faults);
if (faults === undefined || !Number.isSafeInteger(first)) {
  process.stderr.write(
    'Usage: npm run simulate -- [--seed S] [--seeds N] [--days D] [--faults none|some|all]\n',
  );
  process.exit(2);
}

const runs = await Runs.open(values.root);
let failures = 0;
try {
  for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
    const began = Date.now();
    const report = await runs.run({
      seed,
      days: Number(values.days),
      merchants: Number(values.merchants),
      actsADay: Number(values.acts),
      faults,
      root: values.root,
      isPrinted: values.print,
      goesOn: values['go-on'],
      isLogged: values.logs,
    });
    if (report.failure !== null || report.differences.length > 0) failures += 1;
    print(report, (Date.now() - began) / 1_000);
  }
} finally {
  await runs.close();
}
process.exit(failures === 0 ? 0 : 1);

function print(report: RunReport, seconds: number): void {
  const { seed, failure, last, digest, lines, days, acts, faults: met } = report;
  const merchantDays = Math.round(days * Number(values.merchants));
  const speed = Math.round((merchantDays / seconds) * 60);
  process.stdout.write(
    `seed ${seed}: ${failure === null && report.differences.length === 0 ? 'as it may be' : 'DIFFERENT'}, ${merchantDays} merchant-days in ${Math.round(seconds)} s ` +
      `(${speed} a minute), ${lines} lines, history ${digest.slice(0, 16)}\n`,
  );
  process.stdout.write(`  acts ${JSON.stringify(acts)}\n  faults ${JSON.stringify(met)}\n`);
  const rules = new Map<string, number>();
  for (const { rule } of report.differences) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  for (const [rule, count] of rules) {
    const { about, expected, found } = report.differences.find((one) => one.rule === rule)!;
    process.stdout.write(`  ${count} × ${rule}, first ${about}: expected ${expected}, found ${found}\n`);
  }
  if (failure === null) return;
  process.stdout.write(`${last.slice(-60).join('\n')}\n${failure}\n`);
}
