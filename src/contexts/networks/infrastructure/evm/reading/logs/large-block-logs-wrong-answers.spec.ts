import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CAP, type Caps, FloodedChain, type StubLog } from '#contexts/networks/testing/flooded-chain.js';
import {
  FLOODED,
  LOW_LIMITS,
  OTHER_TOKEN,
  disguised,
  lowLayer,
  transfers,
} from '#contexts/networks/testing/low-limits.js';
import { OTHER_HASH, TO } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';

let node: StubNode;
let url: string;
beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

async function contents(limits: object = LOW_LIMITS): Promise<number[]> {
  const [block] = await lowLayer(url, limits).reader.blocks('sandbox', FLOODED, FLOODED, null);
  return block!.transfers.map(({ index }) => index);
}
const indexesOf = (logs: readonly StubLog[]) =>
  logs.filter(({ data }) => BigInt(data) > 0n).map(({ logIndex }) => Number(logIndex));

describe('An endpoint that tells a large block wrongly', () => {
  const METHODS: Record<string, Caps> = {
    eth_getLogs: {},
    eth_getBlockReceipts: { eth_getLogs: 29 },
    eth_getTransactionReceipt: { eth_getLogs: 29, eth_getBlockReceipts: 1 },
  };
  const spoils: [string, (logs: StubLog[]) => StubLog[]][] = [
    ['another block', ([first, ...rest]) => [{ ...first!, blockHash: OTHER_HASH }, ...rest]],
    ['a removed one', ([first, ...rest]) => [{ ...first!, removed: true }, ...rest]],
  ];

  describe.each(Object.keys(METHODS))('by %s', (told) => {
    it('counts a log once that it tells twice', async () => {
      const chain = new FloodedChain(node, FLOODED, transfers());
      chain.caps = METHODS[told]!;
      chain.spoils = (method, logs) =>
        method === told ? [...logs.slice(0, 3), ...logs.slice(0, 3), ...logs.slice(3)] : logs;

      expect(await contents()).toEqual(indexesOf(chain.logs));
    });

    it.each(spoils)('is read by another way where there is a log of %s', async (_, spoil) => {
      const chain = new FloodedChain(node, FLOODED, transfers());
      chain.caps = METHODS[told]!;
      chain.spoils = (method, logs) => (method === told ? spoil(logs) : logs);
      if (told !== 'eth_getTransactionReceipt')
        return expect(await contents()).toEqual(indexesOf(chain.logs));

      await expect(contents()).rejects.toThrow(CAP);
    });
  });

  it('is found out by its bloom filter where all receipts leave some out', async () => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    chain.caps = { eth_getLogs: 29 };
    chain.spoils = (method, logs) => (method === 'eth_getLogs' ? logs : logs.slice(0, 1));

    await expect(contents()).rejects.toThrow(CAP);
    chain.spoils = (method, logs) => (method === 'eth_getBlockReceipts' ? logs.slice(0, 1) : logs);
    expect(await contents()).toEqual(indexesOf(chain.logs));
  });

  it('is read by receipts where it tells of nothing wanted, and all logs leave some out', async () => {
    const chain = new FloodedChain(node, FLOODED, disguised());
    chain.spoils = (method, logs) => (method === 'eth_getLogs' ? logs.slice(5) : logs);

    expect(await contents()).toEqual([]);
    expect(node.askedFor('eth_getBlockReceipts')).toHaveLength(1);
  });

  it('is not believed for one contract because another has logs', async () => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    chain.caps = { eth_getLogs: 30 };
    chain.spoils = (method, logs) =>
      method === 'eth_getLogs' && logs.every(({ address }) => address === OTHER_TOKEN) ? [] : logs;

    expect(await contents()).toEqual(indexesOf(chain.logs));
  });

  it.each([
    ['by another contract', { address: TO }, 'a contract that was not requested'],
    ['of another event', { topics: [OTHER_HASH] }, 'an event that was not requested'],
  ])('is found out by a log %s', async (_, changes, reason) => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    chain.spoils = (_method, logs) => logs.map((each, i) => (i === 0 ? { ...each, ...changes } : each));
    for (const method of ['eth_getBlockReceipts', 'eth_getTransactionReceipt']) chain.lacks.add(method);

    await expect(contents()).rejects.toThrow(reason);
  });

  it('goes on by other ways where answers are cut off, and is refused where all are', async () => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    const cutOff: string[] = ['eth_getLogs'];
    node.misbehaves((response, request, batch) => {
      const answer = JSON.stringify(batch?.map((each) => node.answerTo(each)) ?? node.answerTo(request));
      const isCut = cutOff.includes(request.method) && answer.length > 6_000;
      response.end(isCut ? answer.slice(0, 5_999) : answer);
    });

    const limits = { ...LOW_LIMITS, parsedBytes: 5_000 };
    expect(await contents(limits)).toEqual(indexesOf(chain.logs));
    expect(node.askedFor('eth_getBlockReceipts')).toHaveLength(1);
    cutOff.push('eth_getBlockReceipts');
    chain.lacks.add('eth_getTransactionReceipt');
    await expect(contents(limits)).rejects.toThrow('the response was cut off');
  });

  it('is not asked in other ways where it lacks the block', async () => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    chain.caps = { eth_getLogs: 29 };
    node.answers('eth_getBlockByHash', null);

    await expect(contents()).rejects.toThrow('the node has no such block');
    expect(node.askedFor('eth_getBlockReceipts')).toEqual([]);
  });

  it('says why its first answer was none where no way goes', async () => {
    const chain = new FloodedChain(node, FLOODED, transfers());
    chain.caps = { eth_getLogs: 29 };
    for (const method of ['eth_getBlockReceipts', 'eth_getTransactionReceipt']) chain.lacks.add(method);

    await expect(contents()).rejects.toThrow(CAP);
  });
});
