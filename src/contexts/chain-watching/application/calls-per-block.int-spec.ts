import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { nodeLayer } from '#chains/evm/testing/node-layer.js';
import { Chains, type Chain } from '#contexts/networks/contract/chains.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { EMPTY_BLOOM, block, hex, wordOf } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';

const CYCLE_MS = 540;
const BLOCK_SECONDS = 2;
const MINUTES = 2;
const FIRST_BLOCK = 1_000;
const HEADS_EVERY_MS = 20_000;
const CYCLES_BETWEEN_REREADS = 30;
const OTHER_CALLS_PER_MINUTE = 10;

let payments: Payments;
let nodes: StubNode[];
let now: number;

beforeEach(async () => {
  payments = await openPayments();
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  nodes = [new StubNode(), new StubNode()];
  const newest = () => FIRST_BLOCK + Math.floor(now / 1_000 / BLOCK_SECONDS);
  for (const node of nodes) {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) => {
      const number = asked === 'latest' ? newest() : Number(asked);
      if (number > newest()) return null;
      const hashes = { hash: wordOf(number), parentHash: wordOf(number - 1) };
      const timestamp = hex(0x65000000 + number * BLOCK_SECONDS);
      return block({ number: hex(number), timestamp, ...hashes, logsBloom: EMPTY_BLOOM, transactions: [] });
    });
  }
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(nodes.map((node) => node.stop()));
  await payments.close();
});

describe('The watcher of an idle network', () => {
  it('makes at most three calls per block to the first endpoint, and one to the second', async () => {
    const urls = await Promise.all(nodes.map((node) => node.start()));
    const changes = {
      network: NETWORK,
      finality: { confirmations: CONFIRMATIONS },
      block_seconds: BLOCK_SECONDS,
      assets: [sampleAsset(), nativeAsset()],
    };
    const patience = { headPerBlock: true, headsEveryMs: HEADS_EVERY_MS };
    const { reader, secondEndpoint } = nodeLayer(settingsFor(urls, changes, undefined, patience));
    const chains = new (class extends Chains {
      find = () => ({ reader, secondEndpoint }) as unknown as Chain;
    })();
    const watcher = payments.watcher(chains, { iterationsBetweenRereads: CYCLES_BETWEEN_REREADS });
    const follow = async () => {
      while (await watcher.follow(NETWORK, payments.epoch));
    };
    for (let cycle = 0; cycle <= 2 * CYCLES_BETWEEN_REREADS; cycle += 1) await follow();
    const begun = (await payments.watched.cursor(NETWORK))!;
    for (const node of nodes) node.asked.length = 0;

    for (const end = now + MINUTES * 60_000; now < end; now += CYCLE_MS) await follow();

    const ended = (await payments.watched.cursor(NETWORK))!;
    const blocks = ended.head.number - begun.head.number;
    const [first, second] = nodes.map(({ asked }) => asked.length);
    expect(blocks).toBeGreaterThanOrEqual((MINUTES * 60) / BLOCK_SECONDS - 1);
    expect(first).toBeLessThanOrEqual(3 * blocks);
    expect(second).toBeLessThanOrEqual(blocks + OTHER_CALLS_PER_MINUTE * MINUTES);
    expect(ended.finalNumber! - begun.finalNumber!).toBeGreaterThan(blocks - 15);
  });
});
