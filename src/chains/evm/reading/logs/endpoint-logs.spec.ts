import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodeLayer } from '../../testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  OTHER_HASH,
  TO,
  block,
  hex,
  inTopic,
  log,
  transfer,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { bloomOf, inHex, valuesOf } from '../../testing/flooded-chain.js';

const hashAt = (number: number) => wordOf(0xb10c_0000 + number);
const logAt = (number: number, changes: object = {}) =>
  log({ blockNumber: hex(number), blockHash: hashAt(number), ...changes });
/**
 * Another contract's transfer, and another event of the token: together they set every bit that the wanted logs would
 * set.
 */
const strangers = (number: number) => [
  logAt(number, { address: TO }),
  logAt(number, { logIndex: '0x8', topics: [OTHER_HASH] }),
];

interface LogFilter {
  readonly blockHash?: string;
  readonly address?: readonly string[];
}

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const FULL_BLOOM = `0x${'ff'.repeat(256)}`;
const HASHES = [wordOf(0x7a1), wordOf(0x7a2)];

/** Serves blocks 10 to 15 with this bloom filter. The node does not return their relevant logs. */
function serve(bloom: bigint, all: (number: number) => unknown, changes: object = {}): void {
  const at = (number: number) =>
    block({
      number: hex(number),
      hash: hashAt(number),
      parentHash: hashAt(number - 1),
      logsBloom: inHex(bloom),
      ...changes,
    });
  node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) =>
    at(asked === 'latest' ? 15 : Number(asked)),
  );
  node.answers('eth_getBlockByHash', ({ params: [hash] }: { params: string[] }) =>
    at(Number(BigInt(hash!)) - 0xb10c_0000),
  );
  node.answers('eth_getLogs', ({ params: [filter] }: { params: [LogFilter] }) =>
    filter.address === undefined ? all(Number(BigInt(filter.blockHash!)) - 0xb10c_0000) : [],
  );
}

const layer = () => nodeLayer(settingsFor(url));
const transfersOf = async (finalNumber: number | null, { reader } = layer()) =>
  (await reader.blocks(12, 12, finalNumber)).flatMap(({ transfers }) => transfers);
const unfiltered = () =>
  node.askedFor('eth_getLogs').filter(({ params }) => (params[0] as LogFilter).address === undefined);

describe.each([
  ['near the head', null],
  ['below finality', 12],
])('The claim that a block %s has none of the wanted logs', (_, finalNumber) => {
  it('is believed if all logs of the block set every bit of the bloom filter', async () => {
    serve(bloomOf(valuesOf(strangers(12))), strangers);

    expect(await transfersOf(finalNumber)).toEqual([]);
    expect(unfiltered().map(({ params }) => params)).toEqual([[{ blockHash: hashAt(12) }]]);
  });

  it('is not believed if the node says repeatedly that the block has no logs at all', async () => {
    serve(bloomOf(valuesOf([logAt(12)])), () => []);

    await expect(transfersOf(finalNumber)).rejects.toThrow('block 12 has logs that were not returned');
  });

  it('is not believed if none of the logs sets a bit that the bloom filter has', async () => {
    const told = bloomOf(valuesOf(strangers(12)));
    const missing = [0n, 1_023n, 2_047n].filter((bit) => ((told >> bit) & 1n) === 0n);

    for (const bit of missing) {
      serve(told | (1n << bit), strangers);
      await expect(transfersOf(finalNumber)).rejects.toThrow('block 12 has logs that were not returned');
    }
    expect(missing.length).toBeGreaterThan(1);
  });

  it('is not believed if one of all logs of the block is wanted, which is then read', async () => {
    const logs = [...strangers(12), logAt(12, { logIndex: '0x9' })];
    serve(bloomOf(valuesOf(logs)), () => logs);

    expect(await transfersOf(finalNumber)).toEqual([transfer({ index: 9 })]);
  });

  it.each([
    ['of all ones', FULL_BLOOM],
    ['that it lacks', undefined],
  ])(
    'is checked by receipts of all transactions if the bloom filter shows nothing: a filter %s',
    async (__, logsBloom) => {
      serve(0n, strangers, { logsBloom, transactions: HASHES });
      const receipts = (hashes: readonly string[], logs: readonly object[]) =>
        hashes.map((hash, i) => ({ transactionHash: hash, logs: i === 0 ? logs : [] }));
      node.answers('eth_getBlockReceipts', receipts(HASHES, strangers(12)));
      expect(await transfersOf(finalNumber)).toEqual([]);

      node.answers('eth_getBlockReceipts', receipts(HASHES, [...strangers(12), logAt(12)]));
      expect(await transfersOf(finalNumber)).toEqual([transfer()]);

      node.answers('eth_getBlockReceipts', receipts(HASHES.slice(1), []));
      await expect(transfersOf(finalNumber)).rejects.toThrow('a receipt is missing');
    },
  );
});

describe('The reader of all logs of a block', () => {
  it('reads no further logs if the bloom filter rules the wanted ones out', async () => {
    serve(bloomOf([TO, inTopic(TO)]), strangers);

    expect(await transfersOf(null)).toEqual([]);
    expect(unfiltered()).toEqual([]);
  });
});
