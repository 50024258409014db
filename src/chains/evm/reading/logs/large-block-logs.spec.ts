import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import {
  type Caps,
  FloodedChain,
  type StubLog,
  addressOf,
  createTransferLogs,
  topicsTo,
  ANSWER_TOO_LARGE_MESSAGE,
  FLOODED_BLOCK,
  OTHER_TOKEN,
  LOW_LIMITS,
  disguised,
  lowLayer,
  transfers,
} from '../../testing/flooded-chain.js';
import { OTHER_HASH, TO } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import type { RpcClientOptions } from '#contexts/networks/infrastructure/networks-settings.js';
import { TRANSFER_TOPIC } from '#chains/ethereum-rpc/log-answers.js';

let node: StubNode;
let url: string;
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const layer = (limits?: Partial<RpcClientOptions>) => lowLayer(url, limits);
const indexesOf = (logs: readonly StubLog[]) =>
  logs.filter(({ data }) => BigInt(data) > 0n).map(({ logIndex }) => Number(logIndex));
const contents = async (
  finalNumber: number | null,
  from = FLOODED_BLOCK,
  of = layer(),
  ours?: OwnAddressLookup,
) => {
  const blocks = await of.reader.blocks(from, FLOODED_BLOCK, finalNumber, ours);
  return blocks.flatMap((block) => block.transfers.map(({ index }) => index));
};
const askedOneByOne = () => node.askedFor('eth_getTransactionReceipt').length;

const WAYS: [string, Caps, string[], oneByOne: boolean][] = [
  ['in parts, where it is only too long', {}, [], false],
  ['by contract, where the endpoint does not answer so many logs', { eth_getLogs: 30 }, [], false],
  ['by receipts, where one contract has too many', { eth_getLogs: 29 }, [], false],
  ['receipt by receipt, where they are capped', { eth_getLogs: 29, eth_getBlockReceipts: 59 }, [], true],
  ['receipt by receipt, where there are no others', { eth_getLogs: 29 }, ['eth_getBlockReceipts'], true],
];

describe.each([
  ['near the head', null],
  ['that is final', FLOODED_BLOCK],
])('A block %s with more logs than one answer may have', (_, finalNumber) => {
  it.each(WAYS)('is read %s', async (__, caps, lacking, oneByOne) => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
    chain.caps = caps;
    for (const method of lacking) chain.lacks.add(method);

    await expect(contents(finalNumber)).resolves.toEqual(indexesOf(chain.logs));
    expect(askedOneByOne() > 0).toBe(oneByOne);
  });

  it.each(WAYS)('is proven to hold no wanted logs, %s', async (__, caps, lacking, oneByOne) => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, disguised());
    chain.caps = caps;
    for (const method of lacking) chain.lacks.add(method);

    expect(await contents(finalNumber)).toEqual([]);
    expect(askedOneByOne() > 0).toBe(oneByOne);
  });

  it.each(WAYS)('keeps only own transfers of each part: %s', async (__, caps, lacking) => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
    chain.caps = caps;
    for (const method of lacking) chain.lacks.add(method);
    const ours = new Set([7, 8, 40].map(addressOf));
    const asked: number[] = [];
    const own: OwnAddressLookup = async (recipients) => {
      asked.push(recipients.length);
      return new Set(recipients.map(({ address }) => address).filter((address) => ours.has(address)));
    };

    const found = await contents(finalNumber, FLOODED_BLOCK, layer(), own);

    // Fewer than the maximum are held at the end, so their recipients are not looked up.
    expect(found.filter((index) => index < 56)).toEqual(expect.arrayContaining([7, 8, 40]));
    expect(found.length).toBeLessThan(3 + LOW_LIMITS.heldMovements);
    expect(asked.length).toBeGreaterThan(0);
  });
});

describe('A block with too many logs among other blocks', () => {
  const around = (length: number) =>
    createTransferLogs(FLOODED_BLOCK, length, (i) => ({ topics: topicsTo(TRANSFER_TOPIC, i) }));

  it.each([
    ['by hash', null],
    ['by ranges', 100],
  ])('does not make later queries small: read %s', async (_, finalNumber) => {
    new FloodedChain(node, FLOODED_BLOCK, around(60), {}, 90);
    const { reader } = layer();
    await reader.blocks(10, 90, finalNumber);
    await reader.blocks(13, 90, finalNumber);
    const before = node.posts.length;

    await reader.blocks(13, 90, finalNumber);

    // A few requests for headers, and far fewer than one per block for logs.
    expect(node.posts.length - before).toBeLessThanOrEqual(30);
  });

  it('is the only block that is requested alone if an endpoint names its cap', async () => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, around(40), {}, 50);
    chain.caps = { eth_getLogs: 39 };
    const { reader } = layer({});

    const blocks = reader.blocks(10, 50, null);

    await expect(blocks.then((all) => all.flatMap((block) => block.transfers))).resolves.toHaveLength(40);
    // Requests for headers and logs, then for the large block: existence, logs in parts, logs by contract, receipts.
    expect(node.posts).toHaveLength(6);
  });
});

describe('An endpoint that answers wrongly about a large block', () => {
  const METHODS: Record<string, Caps> = {
    eth_getLogs: {},
    eth_getBlockReceipts: { eth_getLogs: 29 },
    eth_getTransactionReceipt: { eth_getLogs: 29, eth_getBlockReceipts: 1 },
  };
  const spoils: [string, (logs: StubLog[]) => StubLog[]][] = [
    ['another block', ([first, ...rest]) => [{ ...first!, blockHash: OTHER_HASH }, ...rest]],
    ['a removed one', ([first, ...rest]) => [{ ...first!, removed: true }, ...rest]],
  ];

  describe.each(Object.keys(METHODS))('in the answer to %s', (told) => {
    it('has a log counted once if it returns the log twice', async () => {
      const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
      chain.caps = METHODS[told]!;
      chain.spoils = (method, logs) =>
        method === told ? [...logs.slice(0, 3), ...logs.slice(0, 3), ...logs.slice(3)] : logs;

      expect(await contents(null)).toEqual(indexesOf(chain.logs));
    });

    it.each(spoils)('is queried by another method, or refused, if a log is wrong: %s', async (_, spoil) => {
      const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
      chain.caps = METHODS[told]!;
      chain.spoils = (method, logs) => (method === told ? spoil(logs) : logs);
      if (told !== 'eth_getTransactionReceipt')
        return expect(await contents(null)).toEqual(indexesOf(chain.logs));

      await expect(contents(null)).rejects.toThrow(ANSWER_TOO_LARGE_MESSAGE);
    });
  });

  it('is detected by the bloom filter if receipts lack logs', async () => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
    chain.caps = { eth_getLogs: 29 };
    chain.spoils = (method, logs) => (method === 'eth_getLogs' ? logs : logs.slice(0, 1));

    await expect(contents(null)).rejects.toThrow(ANSWER_TOO_LARGE_MESSAGE);
    chain.spoils = (method, logs) => (method === 'eth_getBlockReceipts' ? logs.slice(0, 1) : logs);
    expect(await contents(null)).toEqual(indexesOf(chain.logs));
  });

  it('is not believed about one contract because another has logs', async () => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
    chain.caps = { eth_getLogs: 30 };
    chain.spoils = (method, logs) =>
      method === 'eth_getLogs' && logs.every(({ address }) => address === OTHER_TOKEN) ? [] : logs;

    expect(await contents(null)).toEqual(indexesOf(chain.logs));
  });

  it('is queried for receipts if its logs are incomplete and none is wanted', async () => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, disguised());
    chain.spoils = (method, logs) => (method === 'eth_getLogs' ? logs.slice(5) : logs);

    expect(await contents(null)).toEqual([]);
    expect(node.askedFor('eth_getBlockReceipts')).toHaveLength(1);
  });

  it.each([
    ['by another contract', { address: TO }, 'a contract that was not requested'],
    ['of another event', { topics: [OTHER_HASH] }, 'an event that was not requested'],
  ])('is detected by a log that was not requested: %s', async (_, changes, reason) => {
    const chain = new FloodedChain(node, FLOODED_BLOCK, transfers());
    chain.spoils = (_method, logs) => logs.map((each, i) => (i === 0 ? { ...each, ...changes } : each));
    for (const method of ['eth_getBlockReceipts', 'eth_getTransactionReceipt']) chain.lacks.add(method);

    await expect(contents(null)).rejects.toThrow(reason);
  });
});
