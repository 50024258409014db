import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BitcoinChain } from '#chains/bitcoin/testing/bitcoin-chain.js';
import { bitcoinLayer, ownOf, recipient } from '#chains/bitcoin/testing/bitcoin-layer.js';
import { BitcoinNode } from '#chains/bitcoin/testing/bitcoin-node.js';

const LONG = process.env['EVIDENCE'] === 'long';
const WAITING = LONG ? 100_000 : 3_000;
/** The watcher examines so many a turn. */
const LIMIT = LONG ? 2_000 : 400;
const AT_ONCE = 500;
const BATCH = 100;
/** An id of 64 digits, its number, and their places in a table and a list; short forms weigh the noise. */
const MOST_BYTES = LONG ? 250 : 4_000;

const OWN = recipient('01');
const PATIENCE_MS = 900_000;

let chain: BitcoinChain;
let node: BitcoinNode;
let layer: ReturnType<typeof bitcoinLayer>;
let recipients: number[] = [];

beforeAll(async () => {
  chain = BitcoinChain.begun(Date.parse('2030-01-01T00:00:00Z'));
  for (let coins = 0; coins < WAITING + 10; coins += 20_000) {
    chain.fund(20_000);
    chain.mine();
  }
  for (let i = 0; i < WAITING; i += 1)
    chain.pay([{ script: recipient(`f${i.toString(16)}`).script, amount: 10_000n }]);
  node = new BitcoinNode(chain);
  layer = bitcoinLayer([await node.start()]);
}, PATIENCE_MS);
afterAll(() => node?.stop());

async function look() {
  node.posts.length = 0;
  node.asked.length = 0;
  recipients = [];
  const looked = await layer.pending.pollMempools(
    ownOf([OWN.address], (count) => void recipients.push(count)),
    LIMIT,
  );
  return { ...looked, posts: node.posts.length, calls: node.asked.length };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe(`A mempool of ${WAITING} transactions`, () => {
  it(
    'is scanned in bounded steps and memory, and costs one RPC call once it is known',
    async () => {
      const before = heapBytes();
      const looks = [];
      do {
        const { posts, calls, hasMore } = await look();
        looks.push({ posts, calls, questions: recipients.length, most: Math.max(...recipients), hasMore });
      } while (looks.at(-1)!.hasMore);
      node.asked.length = 0;
      const bytes = (heapBytes() - before) / WAITING;
      const known = await look();
      process.stdout.write(
        `${WAITING} transactions: ${looks.length} looks, each of at most ` +
          `${Math.max(...looks.map(({ posts }) => posts))} messages and ` +
          `${Math.max(...looks.map(({ questions }) => questions))} questions about ` +
          `${Math.max(...looks.map(({ most }) => most))} recipients; ${bytes.toFixed(0)} bytes for each\n`,
      );

      expect(looks).toHaveLength(Math.ceil(WAITING / LIMIT));
      for (const { posts, calls, questions, most } of looks) {
        expect(calls).toBeLessThanOrEqual(1 + LIMIT);
        expect(posts).toBeLessThanOrEqual(1 + LIMIT / BATCH);
        expect(questions).toBeLessThanOrEqual(Math.ceil(LIMIT / AT_ONCE));
        expect(most).toBeLessThanOrEqual(2 * AT_ONCE);
      }
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect([known.posts, known.calls, known.transfers.length]).toEqual([1, 1, 0]);
    },
    PATIENCE_MS,
  );

  it(
    'reports a payment that arrives during the first scan in the next step',
    async () => {
      const fresh = bitcoinLayer(layer.configuration.rpcUrls);
      const lookAnew = () => fresh.pending.pollMempools(ownOf([OWN.address]), LIMIT);
      const first = await lookAnew();
      const { txid } = chain.pay([{ script: OWN.script, amount: 10_000n }]);
      const second = await lookAnew();

      expect([first.hasMore, second.hasMore]).toEqual([true, true]);
      expect(second.transfers.map(({ transactionHash }) => transactionHash)).toEqual([txid]);
    },
    PATIENCE_MS,
  );
});
