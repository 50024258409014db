import { afterAll, describe, expect, it } from '@jest/globals';
import { FloodedNode, type Flood } from './floods/floods-chain.js';
import { WatchedDatabase } from './watcher/watcher-world.js';

/** The short form lowers the limits instead of raising the load. */
const LONG = process.env['EVIDENCE'] === 'long';
const [FLOODED, BLOCKS, CONFIRMATIONS, ADDRESSES] = [5, 20, 3, 10_000];
/** The watcher may allocate so many megabytes in JavaScript; no answer of a hundred fits in parsed. */
const HEAP = 160;
const LIMITS = {
  parsedBytes: 200_000,
  heldMovements: 500,
  streaming: { silenceMs: 60_000, totalMs: 60_000, elementBytes: 500_000 },
};

interface Case extends Flood {
  readonly name: string;
  /** Megabytes that the whole answer about the block has at least, in the long form. */
  readonly least?: number;
}

const scaled = (count: number) => (LONG ? count : Math.round(count / 60));
const base = { paid: 20, perTransaction: LONG ? 500 : 50 };
const NO_MORE = scaled(10_000);

/** The short form takes two of the first. */
const CASES: Case[] = [
  { ...base, name: '60,000 transfers of nothing', flood: 'zero', count: scaled(60_000), least: 30 },
  { ...base, name: '99,100 logs of strangers', flood: 'foreign', count: scaled(99_100), paid: 0, least: 32 },
  { ...base, name: '180,000 transfers of dust: 100 MB', flood: 'dust', count: scaled(180_000), least: 100 },
  {
    ...base,
    name: '100 MB in one transaction',
    flood: 'dust',
    count: scaled(180_000),
    perTransaction: 1e9,
    least: 100,
  },
  {
    ...base,
    name: 'no more than 10,000 logs at once, of three tokens with fewer each',
    flood: 'dust_of_each',
    count: scaled(27_000),
    caps: { eth_getLogs: NO_MORE },
  },
  {
    ...base,
    name: 'no more than 10,000 logs at once: receipts',
    flood: 'dust',
    count: scaled(180_000),
    caps: { eth_getLogs: NO_MORE },
    least: 100,
  },
  {
    ...base,
    name: 'no more than 10,000 logs at once, and no receipts of blocks',
    flood: 'dust',
    count: scaled(180_000),
    caps: { eth_getLogs: NO_MORE },
    lacks: ['eth_getBlockReceipts'],
    least: 100,
  },
  {
    ...base,
    name: 'no more than 10,000 logs of strangers, or receipts, at once',
    flood: 'foreign',
    count: scaled(99_100),
    paid: 0,
    caps: { eth_getLogs: NO_MORE, eth_getBlockReceipts: NO_MORE },
  },
  { ...base, name: '100,000 native transactions', flood: 'transactions', count: scaled(100_000), least: 40 },
  {
    ...base,
    name: 'native transactions that the endpoint does not show at once',
    flood: 'transactions',
    count: scaled(20_000),
    caps: { eth_getBlockByNumber: NO_MORE },
  },
];
const drawn = LONG
  ? CASES
  : CASES.filter(({ lacks, flood }) => lacks !== undefined || flood === 'transactions').slice(0, 2);

describe('A flooded block', () => {
  const rows: string[] = [];
  afterAll(() => {
    const head =
      '| block | turns | seconds | RSS before | RSS | heap | bytes | asked |\n|---|---|---|---|---|---|---|---|';
    process.stdout.write(`\n${head}\n${rows.join('\n')}\n\n`);
  });

  it.each(drawn)(
    'is read twice in little memory: $name',
    async ({ name, least = 0, ...flood }) => {
      const chain = await FloodedNode.open(flood, FLOODED, BLOCKS);
      process.env['BENCH_NODE_OPTIONS'] = `--max-old-space-size=${HEAP}`;
      const database = await WatchedDatabase.open(chain, ADDRESSES, CONFIRMATIONS, LONG ? {} : LIMITS);
      try {
        await chain.moveTo(0);
        const before = await database.sampledTurns(1);
        await chain.moveTo(BLOCKS);
        const watched = await database.sampledTurns(60);
        const { asked, bytes } = await chain.moveTo(BLOCKS);

        const megabytes = (value: number) => `${value.toFixed(0)} MB`;
        const row = [
          name,
          watched.turns,
          (watched.ms / 1_000).toFixed(1),
          megabytes(before.peak.rss),
          megabytes(watched.peak?.rss ?? NaN),
          megabytes(watched.peak?.heap ?? NaN),
          megabytes(bytes / 1e6),
          JSON.stringify(asked),
        ];
        rows.push(`| ${row.join(' | ')} |`);
        expect(watched.failed).toBeUndefined();
        expect(await database.recorded()).toMatchObject({
          head: BLOCKS,
          finalNumber: BLOCKS - CONFIRMATIONS + 1,
          final: flood.paid,
        });
        if (LONG) expect(bytes / 1e6).toBeGreaterThan(2 * least);
        if (LONG) expect(watched.peak.rss - before.peak.rss).toBeLessThan(256);
      } finally {
        await database.close();
        chain.close();
      }
    },
    600_000,
  );
});
