// Half of the machine's work for half an hour: `npm run rehearse -- soak`. A number of minutes may follow.
import { setTimeout as wait } from 'node:timers/promises';
import { KillableSandbox } from '../faults/killable-sandbox.js';
import { Rehearsal } from './rehearsal.js';
import { RehearsedShop } from './rehearsed-shop.js';
import { takeSample, type SoakSample } from './soak-sample.js';

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
  printTables(samples[0]!, warm[0]!, samples.at(-1)!, begun);
  await shop.verify();
});

/** Growth of each table in the warm part, beside that of the warm-up: by completed payment, and in rows. */
function printTables(start: SoakSample, warm: SoakSample, end: SoakSample, requests: number): void {
  const payments = end.completed - warm.completed;
  print(`Tables, ${end.completed} completed payments of ${requests} requests:`);
  print(
    '| table | KiB at first | KiB after the warm-up | KiB at the end | bytes a payment, warm-up | bytes a payment, then |',
  );
  print('| --- | --- | --- | --- | --- | --- |');
  for (const [name, { bytes }] of [...end.tables].sort(([, a], [, b]) => b.bytes - a.bytes)) {
    const [first, middle] = [start, warm].map((sample) => sample.tables.get(name)!.bytes);
    if (bytes - first! < 65_536) continue;
    const rates = [(middle! - first!) / (warm.completed - start.completed), (bytes - middle!) / payments];
    const kibibytes = [first!, middle!, bytes].map((size) => (size / 1024).toFixed(0));
    print(`| ${[name, ...kibibytes, ...rates.map((rate) => rate.toFixed(0))].join(' | ')} |`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
