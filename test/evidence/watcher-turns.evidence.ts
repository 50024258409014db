import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { median, shown } from './measures.js';
import { StubChain, type Asked } from './watcher/watcher-chain.js';
import { recipientsOfBlocks, WatchedDatabase, type Watched } from './watcher/watcher-world.js';

/** The long form is `npm run evidence -- watcher-turns`. */
const ADDRESSES = process.env['EVIDENCE'] === 'long' ? [10_000, 100_000] : [10_000, 20_000];
const [BLOCKS, PAID_TO, LOGS, PAID, CONFIRMATIONS] = [130, 100, 200, 2, 12];

let chain: StubChain;
let sizes: WatchedDatabase[];
beforeAll(async () => {
  chain = await StubChain.open({ blocks: BLOCKS, logs: LOGS, paid: PAID, paidTo: PAID_TO, calls: 150 });
  sizes = [];
  for (const addresses of ADDRESSES) sizes.push(await WatchedDatabase.open(chain, addresses, CONFIRMATIONS));
}, 300_000);
afterAll(async () => {
  for (const one of sizes ?? []) await one.close();
  chain?.close();
});

/** One turn for each new block. */
async function turnsAtHead(database: WatchedDatabase, from: number, to: number) {
  const turns: Watched[] = [];
  const asked: Asked['asked'][] = [];
  for (let head = from; head <= to; head += 1) {
    await chain.moveTo(head);
    turns.push(await database.turn());
    asked.push((await chain.moveTo(head)).asked);
  }
  return {
    asked,
    statements: turns.map(({ statements }) => statements.length),
    ms: turns.map(({ ms }) => ms),
  };
}

// What a turn costs by the number of questions and statements, which no other load on the machine changes.
describe('A watcher at the head', () => {
  it.each([0, 1])(
    'costs the same for every block, however many addresses were issued',
    async (which) => {
      const database = sizes[which]!;
      await database.watch(PAID_TO - 20);

      const paid = await turnsAtHead(database, PAID_TO - 19, PAID_TO);
      const final = await turnsAtHead(database, PAID_TO + 1, PAID_TO + CONFIRMATIONS - 1);
      const quiet = await turnsAtHead(database, PAID_TO + CONFIRMATIONS, BLOCKS);

      process.stdout.write(
        `At the head with ${database.addresses} addresses: ${shown(paid.ms, 1)} ms a block that pays, ` +
          `${shown(quiet.ms, 1)} ms a block that does not; statements ${median(paid.statements)} and ` +
          `${median(quiet.statements)}; questions ${JSON.stringify(quiet.asked.at(-1))}\n`,
      );
      // The second endpoint's blocks are asked for as the first one's are: header and logs. Before, it says what is final.
      for (const each of quiet.asked)
        expect(each).toEqual({ posts: 5, eth_getBlockByNumber: 3, eth_getLogs: 2 });
      // What is to be final is shown by a receipt from either endpoint.
      const receipts = 2 * PAID;
      for (const each of [...paid.asked, ...final.asked])
        expect(each).toMatchObject({ posts: 5 + receipts, eth_getTransactionReceipt: receipts });
      // Every block asks also for parked requests that are to be judged again, and for ended ones of which transfers still
      // count, and for payouts that have become final; one that pays also for parked ones among those that it pays, and stores
      // their sums and the receipts of what is final.
      expect(new Set(paid.statements)).toEqual(new Set([31]));
      expect(new Set(quiet.statements)).toEqual(new Set([21]));
      expect(await database.recorded()).toMatchObject({ transfers: PAID_TO * PAID, final: PAID_TO * PAID });
    },
    120_000,
  );
});

describe('A watcher that catches up', () => {
  it('asks for whole ranges, twice, and stores them with few statements', async () => {
    const watched = await sizes[0]!.watch(BLOCKS);
    const { asked } = await chain.moveTo(BLOCKS);

    process.stdout.write(
      `Catching up with ${BLOCKS} blocks: ${watched.turns} turns, ${watched.statements.length} statements, ` +
        `questions ${JSON.stringify(asked)}\n`,
    );
    const receipts = asked['eth_getTransactionReceipt'] ?? 0;
    expect(receipts).toBeLessThanOrEqual(2 * PAID_TO * PAID);
    // And the header of each block that pays, whose time is to be the same at both endpoints.
    expect(asked['posts']! - receipts).toBeLessThanOrEqual(25 + PAID_TO);
    expect(watched.statements.length).toBeLessThanOrEqual(96);
    expect(await sizes[0]!.recorded()).toMatchObject({ transfers: PAID_TO * PAID, blocks: BLOCKS + 1 });
  });

  it('takes more blocks at a time where there is little in them', async () => {
    const sparse = await StubChain.open({ blocks: 1_000, logs: 2, paid: 0, calls: 20 });
    const database = await WatchedDatabase.open(sparse, 1_000, CONFIRMATIONS);

    const { turns, ms, statements } = await database.watch(1_000);

    process.stdout.write(
      `Catching up with 1000 blocks of 2 logs: ${((1_000 / ms) * 1_000).toFixed(0)} blocks a second, ` +
        `${turns} turns, ${(statements.length / 1_000).toFixed(2)} statements a block\n`,
    );
    // 50, 100, then 200 each, and one for what is left to be read again.
    expect(turns).toBe(8);
    expect(await database.recorded()).toMatchObject({ head: 1_000, blocks: 1_001 });
    await database.close();
    sparse.close();
  });
});

describe('Looking up the recipients of blocks', () => {
  it.each([200, 4_000])(
    'finds %d of them by the index, however many addresses were issued',
    async (count) => {
      const { statements } = await sizes[0]!.watch(20);

      const plans = await Promise.all(
        sizes.map((one) => one.ownersPlan(statements, recipientsOfBlocks(count))),
      );

      const [few, many] = plans.map(({ pages }) => pages) as [number, number];
      process.stdout.write(
        `Pages to look up ${count} recipients: ${few} among ${ADDRESSES[0]} addresses, ${many} among ${ADDRESSES[1]}\n`,
      );
      for (const { node, rows } of plans) expect([node, rows]).toEqual(['Index Scan', count / 100]);
      // The height of the index for each, at most.
      expect(many).toBeLessThanOrEqual(count * 3 + 50);
    },
  );
});
