// `npm run simulate`: see README.md beside this file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedChain } from './chain/recorded-chain.js';
import { repeatOnAnvil } from './chain/repeat-on-anvil.js';
import { askedRun, commandOf, isDifferent, type RunReport } from './run/asked-run.js';
import { type Asked, Runs } from './run/runs.js';
import { Shrinking } from './shrink/shrinking.js';

const request = askedRun();
if (request === undefined) {
  process.stderr.write(
    'Usage: npm run simulate -- [--seed S] [--seeds N] [--days D] [--faults none|some|all]\n',
  );
  process.exit(2);
}

const { asked, seeds, atOnce, isRepeatedOnAnvil, shrinks, mostRuns } = request;
const runs = await Runs.open(asked.root, atOnce);
const start = Date.now();
const done = { seeds: 0, failed: [] as number[], merchantDays: 0 };
const left = Array.from({ length: seeds }, (_, place) => asked.seed + place);
try {
  await Promise.all(Array.from({ length: atOnce }, runOn));
} finally {
  await runs.close();
}
if (seeds > 1) {
  const hours = ((Date.now() - start) / 3_600_000).toFixed(2);
  const failed = done.failed.length === 0 ? 'none failed' : `failed: ${done.failed.join(', ')}`;
  say(`${done.seeds} seeds, ${failed}, ${done.merchantDays} merchant-days in ${hours} hours`);
}
process.exit(done.failed.length === 0 ? 0 : 1);

async function runOn(): Promise<void> {
  for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
    const began = Date.now();
    const order = {
      ...asked,
      seed,
      ...(shrinks && { historyFile: join(runs.folder, `history of ${seed}`) }),
      ...(isRepeatedOnAnvil && { chainFile: join(runs.folder, `chain of ${seed}`) }),
    };
    const report = await runs.run(order);
    print({ ...report, last: shrinks ? [] : report.last.slice(-60) }, (Date.now() - began) / 1_000);
    done.seeds += 1;
    done.merchantDays += merchantDaysOf(report);
    const isRepeated = order.chainFile === undefined || (await isSameOnAnvil(order.chainFile));
    if (!isDifferent(report) && isRepeated) continue;
    done.failed.push(seed);
    if (shrinks && isDifferent(report)) await shrink({ ...order, chainFile: undefined }, report);
  }
}

async function isSameOnAnvil(chainFile: string): Promise<boolean> {
  try {
    const chain = JSON.parse(readFileSync(chainFile, 'utf8')) as RecordedChain;
    say(`  anvil executed the same ${await repeatOnAnvil(chain)} transactions with the same results`);
    return true;
  } catch (error) {
    say(`  anvil had another result: ${(error as Error).message}`);
    return false;
  }
}

async function shrink(different: Asked, report: RunReport): Promise<void> {
  const shrinking = new Shrinking(runs, different, report, mostRuns, (line) => say(`  ${line}`));
  await shrinking.shrink();
  const { report: shortest, about } = shrinking;
  print({ ...shortest, last: about?.lines() ?? shortest.last.slice(-60) });
  say(commandOf(shrinking.shortest));
}

function print(report: RunReport, seconds?: number): void {
  const { seed, failure, last, digest, lines, faults, missing } = report;
  const merchantDays = merchantDaysOf(report);
  const speed = (taken: number) =>
    ` in ${Math.round(taken)} s (${Math.round((merchantDays / taken) * 60)} a minute)`;
  const verdict = isDifferent(report) ? 'FAILED' : 'passed';
  say(
    `seed ${seed}: ${verdict}, ${merchantDays} merchant-days${seconds === undefined ? '' : speed(seconds)}, ` +
      `${lines} lines, history ${digest.slice(0, 16)}`,
  );
  const acts = counted(report.acts.filter(({ isDone }) => isDone).map(({ name }) => name));
  say(`  acts ${JSON.stringify(Object.fromEntries(acts))}\n  faults ${JSON.stringify(faults)}`);
  if (asked.covers && missing.length > 0) say(`  never occurred: ${missing.join(', ')}`);
  for (const [rule, count] of counted(report.differences.map((one) => one.rule))) {
    const { about, expected, found } = report.differences.find((one) => one.rule === rule)!;
    say(`  ${count} × ${rule}, first ${about}: expected ${expected}, found ${found}`);
  }
  if (failure !== null) say([...last, failure].join('\n'));
}

function merchantDaysOf({ days }: RunReport): number {
  return Math.round(days * asked.merchants);
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
