// Half of the machine's work for half an hour: `npm run rehearse -- soak`. A number of minutes may follow.
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMs } from '../evidence/process-cpu.js';
import { KillableSandbox } from '../faults/killable-sandbox.js';
import { childrenOf } from '../support/sandbox-programs.js';
import { Rehearsal } from './rehearsal.js';
import { RehearsedShop } from './rehearsed-shop.js';

const MINUTES = Number(process.argv[2] ?? 30);
/** Payment requests created and read in a second. */
const RATE = Number(process.env['SOAK_RATE'] ?? 15);
/** One in so many is paid; the others expire. */
const PAID_EVERY = 5;
/** Little enough for the payer's coins to last. */
const AMOUNT = '1.25';
const SAMPLES = 30;
/** Caches fill and code is compiled meanwhile: of all samples. */
const WARM_UP = 1 / 3;
/** A process's memory may be so many times larger at the end than after the warm-up: garbage waits for its collection. */
const MEMORY_NOISE = 1.2;

await Rehearsal.run(async (rehearsal) => {
  const sandbox = await KillableSandbox.start({ PAYMENT_WINDOW_SECONDS: '60' });
  rehearsal.atEnd(() => sandbox.end());
  const shop = await RehearsedShop.open(rehearsal, sandbox);
  let [begun, isOver] = [0, false];
  const failures: string[] = [];
  const one = async (n: number) => {
    const order = await (n % PAID_EVERY === 0 ? shop.paid(AMOUNT) : shop.asked(AMOUNT));
    await shop.statusOf(order);
  };
  const load = (async () => {
    const open = new Set<Promise<void>>();
    while (!isOver) {
      const call: Promise<void> = one(begun++)
        .catch((error: Error) => void failures.push(error.message))
        .finally(() => open.delete(call));
      open.add(call);
      await wait(1_000 / RATE);
    }
    await Promise.all(open);
  })();
  rehearsal.step(`${RATE} payment requests a second are created and read, one of ${PAID_EVERY} is paid.`);

  const samples: SoakSample[] = [];
  print(
    '| minute | API, MiB | worker, MiB | PostgreSQL, MiB | connections | completed | cores: API | worker | PostgreSQL |',
  );
  print('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  const everyMs = (MINUTES * 60_000) / SAMPLES;
  for (let n = 0; n <= SAMPLES; n += 1) {
    const sample = await takeSample(sandbox);
    const before = samples.at(-1) ?? sample;
    const cores = sample.processorMs.map((ms, part) =>
      ((ms - before.processorMs[part]!) / everyMs).toFixed(2),
    );
    samples.push(sample);
    const memory = [sample.api, sample.worker, sample.postgres].map((mebibytes) => mebibytes.toFixed(0));
    const minute = ((n * everyMs) / 60_000).toFixed(1);
    print(`| ${[minute, ...memory, sample.connections, sample.completed, ...cores].join(' | ')} |`);
    if (n < SAMPLES) await wait(everyMs);
  }
  isOver = true;
  await load;
  rehearsal.demand(failures.length === 0, `no request fails: ${failures.slice(0, 5).join('; ')}`);
  rehearsal.step(`${begun} payment requests were created and read in ${MINUTES} minutes, none failed.`);

  const warm = samples.slice(Math.round(SAMPLES * WARM_UP));
  const [early, late] = [warm.slice(0, warm.length / 3), warm.slice(-warm.length / 3)];
  for (const part of ['api', 'worker', 'postgres'] as const) {
    const [first, last] = [early, late].map((some) => median(some.map((sample) => sample[part])));
    rehearsal.demand(
      last! < first! * MEMORY_NOISE,
      `the memory of ${part} is flat: ${first!.toFixed(0)}, then ${last!.toFixed(0)} MiB`,
    );
    rehearsal.step(
      `Memory of ${part} after the warm-up and at the end: ${first!.toFixed(0)} and ${last!.toFixed(0)} MiB.`,
    );
  }
  const connections = warm.map((sample) => sample.connections);
  rehearsal.step(`Connections to the database: ${Math.min(...connections)} to ${Math.max(...connections)}.`);
  await shop.verify();
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface SoakSample {
  /** Processor time of API, worker and PostgreSQL since they began, in milliseconds. */
  readonly processorMs: readonly [number, number, number];
  /** Resident memory of each, in mebibytes; PostgreSQL's shared memory counts once. */
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
  /** The connections of the service to its database. */
  readonly connections: number;
  readonly completed: number;
}

async function takeSample(sandbox: KillableSandbox): Promise<SoakSample> {
  const [api, worker, postgres] = (['api', 'worker', 'postgres'] as const).map((part) =>
    sandbox.pidOf(part)!,
  );
  const sessions = [postgres!, ...childrenOf(postgres!).map(({ pid }) => pid)];
  const [counted] = await sandbox.query<{ connections: number; completed: number }>(
    `SELECT (SELECT count(*) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid())::integer AS connections,
            (SELECT count(*) FROM payments.payment_requests WHERE confirmed_at IS NOT NULL)::integer AS completed`,
  );
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    ...counted!,
    processorMs: [cpuMs(api!), cpuMs(worker!), sum(sessions.map((pid) => cpuMs(pid, pid === postgres)))],
    ...{ api: mebibytes(api!, 'Rss'), worker: mebibytes(worker!, 'Rss') },
    postgres: sum(sessions.map((pid) => mebibytes(pid, 'Pss'))),
  };
}

/** Linux. @param share `Pss` divides what processes share among them */
function mebibytes(pid: number, share: 'Rss' | 'Pss'): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${share}:\\s+(\\d+) kB`, 'm').exec(rollup)![1]) / 1024;
  } catch {
    // A session that has just ended.
    return 0;
  }
}
