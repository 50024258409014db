// `npm run simulate`: see README.md beside this file.
import { join } from 'node:path';
import { askedRun, commandOf } from './run/asked-run.js';
import { isDifferent, type RunReport } from './run/run-order.js';
import { type Asked, Runs } from './run/runs.js';
import { Shrinking } from './shrink/shrinking.js';

const wanted = askedRun();
if (wanted === undefined) {
  process.stderr.write(
    'Usage: npm run simulate -- [--seed S] [--seeds N] [--days D] [--faults none|some|all]\n',
  );
  process.exit(2);
}

const { asked, seeds, shrinks, mostRuns } = wanted;
const runs = await Runs.open(asked.root);
let failures = 0;
try {
  for (let seed = asked.seed; seed < asked.seed + seeds; seed += 1) {
    const began = Date.now();
    const order = {
      ...asked,
      seed,
      ...(shrinks && { historyFile: join(runs.folder, `history of ${seed}`) }),
    };
    const report = await runs.run(order);
    print({ ...report, last: shrinks ? [] : report.last.slice(-60) }, (Date.now() - began) / 1_000);
    if (!isDifferent(report)) continue;
    failures += 1;
    if (shrinks) await shrink(order, report);
  }
} finally {
  await runs.close();
}
process.exit(failures === 0 ? 0 : 1);

async function shrink(different: Asked, report: RunReport): Promise<void> {
  const shrinking = new Shrinking(runs, different, report, mostRuns, (line) => say(`  ${line}`));
  await shrinking.shrink();
  const { report: shortest, about } = shrinking;
  print({ ...shortest, last: about?.lines() ?? shortest.last.slice(-60) });
  say(commandOf(shrinking.shortest));
}

function print(report: RunReport, seconds?: number): void {
  const { seed, failure, last, digest, lines, days, faults } = report;
  const merchantDays = Math.round(days * asked.merchants);
  const speed = (taken: number) =>
    ` in ${Math.round(taken)} s (${Math.round((merchantDays / taken) * 60)} a minute)`;
  const verdict = isDifferent(report) ? 'DIFFERENT' : 'as it may be';
  say(
    `seed ${seed}: ${verdict}, ${merchantDays} merchant-days${seconds === undefined ? '' : speed(seconds)}, ` +
      `${lines} lines, history ${digest.slice(0, 16)}`,
  );
  const acts = counted(report.acts.filter(({ isDone }) => isDone).map(({ name }) => name));
  say(`  acts ${JSON.stringify(Object.fromEntries(acts))}\n  faults ${JSON.stringify(faults)}`);
  for (const [rule, count] of counted(report.differences.map((one) => one.rule))) {
    const { about, expected, found } = report.differences.find((one) => one.rule === rule)!;
    say(`  ${count} × ${rule}, first ${about}: expected ${expected}, found ${found}`);
  }
  if (failure !== null) say([...last, failure].join('\n'));
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
