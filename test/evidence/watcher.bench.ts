import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { executed } from '../support/plans.js';
import { publishFigure, typical } from './figures.js';
import { FORM, median, shown } from './measures.js';
import { StubChain, type Asked, type Measured, type Read } from './watcher/watcher-chain.js';
import { recipientsOfBlocks, WatchedDatabase, type Watched } from './watcher/watcher-world.js';

const LONG = FORM === 'long';
/** The long form runs so many; the short one runs each side once, for what is found and by how many statements. */
const { PAIRS, ADDRESSES, BLOCKS } = {
  short: { PAIRS: 0, ADDRESSES: [10_000, 20_000], BLOCKS: 50 },
  figures: { PAIRS: 5, ADDRESSES: [10_000], BLOCKS: 200 },
  long: { PAIRS: 9, ADDRESSES: [10_000, 100_000, 1_000_000], BLOCKS: 500 },
}[FORM];
/** Readings before the first that counts. */
const WARM = ({ short: 0, figures: 1, long: 3 } as const)[FORM];
const LOGS = 200;
const PAID = 2;
const CONFIRMATIONS = 12;
/** The last blocks pay nobody. */
const QUIET = 20;
/** The watcher's usual turn; the bare loop is fastest with fewer at a time. */
const [AT_A_TIME, BARE_AT_A_TIME] = [50, 10];

let chain: StubChain;
let databases: WatchedDatabase[];

beforeAll(async () => {
  const blocks = BLOCKS + CONFIRMATIONS + QUIET;
  chain = await StubChain.open({ blocks, logs: LOGS, paid: PAID, paidTo: BLOCKS, calls: 150 });
  databases = [];
  for (const addresses of ADDRESSES)
    databases.push(await WatchedDatabase.open(chain, addresses, CONFIRMATIONS));
}, 600_000);

afterAll(async () => {
  for (const database of databases ?? []) await database.close();
  chain?.close();
});

function print(figure: string): void {
  process.stdout.write(`${figure}\n`);
}

/**
 * The two take turns, A B B A; in the short form A B.
 * @returns each pair's ratio of B's rate to A's, by the clock and by the processors' time
 */
async function compared(a: () => Promise<Measured>, b: () => Promise<Measured>) {
  const ratios = { clock: [] as number[], processor: [] as number[] };
  if (FORM === 'short') {
    const [first, second] = [await a(), await b()];
    return { clock: [first.ms / second.ms], processor: [first.cpuMs / second.cpuMs] };
  }
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [first, second, third, fourth] = [await a(), await b(), await b(), await a()];
    ratios.clock.push((first.ms + fourth.ms) / (second.ms + third.ms));
    ratios.processor.push((first.cpuMs + fourth.cpuMs) / (second.cpuMs + third.cpuMs));
  }
  return ratios;
}

function printRatios(what: string, { clock, processor }: Awaited<ReturnType<typeof compared>>): void {
  print(`${what}: ${shown(clock)} by the clock, ${shown(processor)} by processor time`);
}

function rates(what: string, measured: readonly Measured[]): void {
  const perSecond = (time: (one: Measured) => number) =>
    (BLOCKS * 1_000) / median(measured.map((one) => time(one)));
  const [clock, processor] = [perSecond(({ ms }) => ms), perSecond(({ cpuMs }) => cpuMs)];
  const logs = (blocks: number) => `${(blocks * LOGS).toFixed(0)} logs`;
  print(
    `${what}: ${clock.toFixed(0)} blocks and ${logs(clock)} a second, ` +
      `${processor.toFixed(0)} blocks and ${logs(processor)} a second of its own processor time`,
  );
}

const [bares, reads]: [Read[], Read[]] = [[], []];
const bare = async () => {
  await chain.moveTo(BLOCKS);
  bares.push(await chain.fetch(BLOCKS, ADDRESSES[0]!, BARE_AT_A_TIME));
  return bares.at(-1)!;
};
const reading = async () => {
  reads.push(await databases[0]!.read(BLOCKS, AT_A_TIME));
  return reads.at(-1)!;
};

describe('A watcher that catches up with final blocks', () => {
  it('reads them without a database at a fraction of the rate of a minimal loop over the same responses', async () => {
    for (let warm = 0; warm < WARM; warm += 1) await Promise.all([await bare(), await reading()]);
    [bares.length, reads.length] = [0, 0];

    const noise = LONG ? await compared(bare, bare) : undefined;
    const ratios = await compared(bare, reading);

    rates('Bare loop', bares);
    rates('Reading alone', reads);
    if (noise) printRatios('Bare beside bare', noise);
    printRatios('Reading alone beside the bare loop', ratios);
    for (const { seen, found } of [...bares, ...reads])
      expect([seen, found]).toEqual([BLOCKS * LOGS, BLOCKS * PAID]);
    const blocks = (measured: readonly Measured[]) =>
      `${typical(measured.map(({ cpuMs }) => (BLOCKS * 1_000) / cpuMs))} per second of CPU time`;
    publishFigure({
      work: `read EVM blocks with ${LOGS} transfers each`,
      result: blocks(reads),
      limit: `loop that parses and matches: ${blocks(bares)}`,
      ratios: ratios.processor,
      measurement: 'watcher',
    });
    // The goal is 0.4. Other tests share these cores.
    if (LONG) expect(median(ratios.processor)).toBeGreaterThan(0.2);
  }, 600_000);

  it.each(ADDRESSES)(
    'records the same transfers as the minimal loop, with %d issued addresses',
    async (addresses) => {
      const database = databases.find((one) => one.addresses === addresses)!;
      const watches: Watched[] = [];
      const watch = async () => {
        watches.push(await database.watch(BLOCKS));
        expect(await database.recorded()).toEqual(READ_TO_THE_END);
        return watches.at(-1)!;
      };
      if (LONG) await watch();
      watches.length = 0;

      const ratios = await compared(bare, watch);

      rates(`Watcher with ${addresses} addresses`, watches);
      printRatios(`Watcher with ${addresses} addresses beside the bare loop`, ratios);
      print(timeOf(watches));
      if (addresses === ADDRESSES[0]) await database.expectInvariants();
      if (LONG) expect(median(ratios.processor)).toBeGreaterThan(0.05);
    },
    1_200_000,
  );

  // In full also the fewest beside the fewest, which is the noise.
  it.each(LONG ? ADDRESSES : ADDRESSES.slice(1))(
    'takes hardly longer with %d issued addresses than with the fewest',
    async (addresses) => {
      const database = databases.find((one) => one.addresses === addresses)!;
      // In the time of both processes: the watcher's own does not show what the database does for it.
      const statements = new Set<number>();
      const watch = async (one: WatchedDatabase) => {
        const watched = await one.watch(BLOCKS);
        statements.add(watched.statements.length);
        expect(await one.recorded()).toEqual(READ_TO_THE_END);
        return { ms: watched.ms, cpuMs: watched.cpuMs + watched.databaseCpuMs };
      };

      const ratios = await compared(
        () => watch(database),
        () => watch(databases[0]!),
      );

      printRatios(`Time with ${addresses} addresses by the time with ${ADDRESSES[0]}`, ratios);
      // The goal is 1.2 for a million.
      if (LONG) expect(median(ratios.processor)).toBeLessThan(2);
      else expect(statements.size).toBe(1);
    },
    1_800_000,
  );
});

describe('A watcher of native coin', () => {
  it('reads full blocks at a fraction of the rate of a minimal loop over the same responses', async () => {
    const blocks = BLOCKS / 5;
    const full = await StubChain.open({ blocks, logs: LOGS, paid: PAID, calls: 150, native: true });
    const database = await WatchedDatabase.open(full, ADDRESSES[0]!, CONFIRMATIONS);
    const fetch = () => full.fetch(blocks, ADDRESSES[0]!, BARE_AT_A_TIME);
    const read = () => database.read(blocks, AT_A_TIME);
    const found = new Set<number>();
    const counted = async (one: Promise<Read>) => {
      const measured = await one;
      found.add(measured.found);
      return measured;
    };
    for (let warm = 0; warm < WARM; warm += 1) await Promise.all([fetch(), read()]);

    const ratios = await compared(
      () => counted(fetch()),
      () => counted(read()),
    );
    expect(found.size).toBe(1);
    const watched = await database.watch(blocks);

    printRatios('Reading alone with native coin beside a bare loop over full blocks', ratios);
    print(
      `Watcher with native coin: ${((blocks / watched.ms) * 1_000).toFixed(0)} blocks a second by the clock`,
    );
    expect(await database.recorded()).toMatchObject({ transfers: blocks * PAID, head: blocks });
    if (LONG) expect(median(ratios.processor)).toBeGreaterThan(0.2);
    await database.close();
    full.close();
  }, 600_000);
});

/** Runs one iteration for each new block. Returns the statements and RPC calls of each. */
async function iterationsAtHead(database: WatchedDatabase, from: number, to: number) {
  const asked: Asked['asked'][] = [];
  const statements: number[] = [];
  for (let head = from; head <= to; head += 1) {
    await chain.moveTo(head);
    statements.push((await database.turn()).statements.length);
    asked.push((await chain.moveTo(head)).asked);
  }
  return { asked, statements: new Set(statements) };
}

describe('A watcher at the head', () => {
  it('makes the same number of RPC calls and statements for each block, with few addresses and with many', async () => {
    for (const database of databases) {
      await database.watch(BLOCKS - 20);
      const paid = await iterationsAtHead(database, BLOCKS - 19, BLOCKS);
      const final = await iterationsAtHead(database, BLOCKS + 1, BLOCKS + CONFIRMATIONS - 1);
      const quiet = await iterationsAtHead(database, BLOCKS + CONFIRMATIONS, BLOCKS + CONFIRMATIONS + QUIET);

      // Header and logs from each endpoint, after one call for the final block.
      for (const each of quiet.asked)
        expect(each).toEqual({ posts: 5, eth_getBlockByNumber: 3, eth_getLogs: 2 });
      const receipts = 2 * PAID;
      for (const each of [...paid.asked, ...final.asked])
        expect(each).toMatchObject({ posts: 5 + receipts, eth_getTransactionReceipt: receipts });
      expect([database.addresses, paid.statements, quiet.statements]).toEqual([
        ...[database.addresses, new Set([32]), new Set([21])],
      ]);
      expect(await database.recorded()).toMatchObject({ transfers: BLOCKS * PAID, final: BLOCKS * PAID });
    }
  }, 600_000);

  it('finds the recipients of blocks by an index, whatever the number of issued addresses', async () => {
    const { statements } = await databases[0]!.watch(20);
    const text = statements.find((each) => each.includes('payments.deposit_addresses'))!;
    const count = 4_000;
    const literal = recipientsOfBlocks(count).map((recipient) => `"${recipient}"`);
    for (const { platform, addresses } of databases) {
      const client = new pg.Client({ connectionString: platform.url });
      await client.connect();
      const types = ['text', 'text[]', 'text[]'];
      const values = [`'sandbox'`, `'{${literal.join()}}'`, `'{""}'`];
      const { scans, blocks } = await executed(client, text, types, values);
      await client.end();

      print(`Blocks to look up ${count} recipients among ${addresses} addresses: ${blocks}`);
      expect([scans[0]!.kind, scans[0]!.rows]).toEqual(['Index Scan', count / 100]);
      // At most three levels of the index for each.
      expect(blocks).toBeLessThanOrEqual(count * 3 + 50);
    }
  }, 120_000);
});

const READ_TO_THE_END = {
  transfers: BLOCKS * PAID,
  final: (BLOCKS - CONFIRMATIONS + 1) * PAID,
  completed: (BLOCKS - CONFIRMATIONS + 1) * PAID,
  blocks: BLOCKS + 1,
  head: BLOCKS,
  finalNumber: BLOCKS - CONFIRMATIONS + 1,
};

/** Where the time goes, as shares of the median. */
function timeOf(watches: readonly Watched[]): string {
  const share = (part: (one: Watched) => number) =>
    `${(median(watches.map((one) => part(one) / one.ms)) * 100).toFixed(0)} %`;
  const [cpu, databaseCpu] = [(one: Watched) => one.cpuMs, (one: Watched) => one.databaseCpuMs].map((part) =>
    (median(watches.map(part)) / BLOCKS).toFixed(2),
  );
  return (
    `  of its time: first reading ${share(({ spent }) => spent.reading)}, ` +
    `second reading ${share(({ spent }) => spent.confirmationRead)}, ` +
    `SQL ${share(({ spent }) => spent.statements)}, ` +
    `the rest ${share(({ ms, spent }) => ms - spent.reading - spent.confirmationRead - spent.statements)}; ` +
    `per block ${cpu} ms of its processor time and ${databaseCpu} ms of the database's; ` +
    `${median(watches.map(({ turns }) => turns))} turns, ` +
    `${(median(watches.map(({ statements }) => statements.length)) / BLOCKS).toFixed(2)} statements a block`
  );
}
