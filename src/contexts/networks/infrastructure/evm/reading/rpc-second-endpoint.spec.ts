import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { passes } from '#contexts/networks/testing/several-nodes.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FULL_BLOOM,
  OTHER_HASH,
  TO,
  block,
  call,
  hex,
  log,
  settledLog,
  transaction,
  transfer,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { Refusal, StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworksSettings } from '../../networks-settings.js';

const FACTORY = `0x${'fa'.repeat(20)}`;
const NATIVE = { assets: [sampleAsset(), nativeAsset()], factory: FACTORY };

let reading: StubNode;
let second: StubNode;
let urls: string[];

beforeEach(async () => {
  reading = new StubNode();
  second = new StubNode();
  urls = [await reading.start(), await second.start()];
  for (const node of [reading, second]) serve(node);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([reading.stop(), second.stop()]);
});

const hashAt = (number: number) => wordOf(0xb10c_0000 + number);
const at = (number: number, changes: object = {}) =>
  block({
    number: hex(number),
    hash: hashAt(number),
    parentHash: hashAt(number - 1),
    logsBloom: EMPTY_BLOOM,
    ...changes,
  });
const logAt = (number: number, changes: object = {}) =>
  log({ blockNumber: hex(number), blockHash: hashAt(number), ...changes });
const serve = (node: StubNode, changed: Record<number, object | null> = {}, newest = 2_000) =>
  node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) => {
    const number = asked === 'latest' ? newest : Number(asked);
    return number > newest || changed[number] === null ? null : at(number, changed[number]);
  });

/** Pauses after a failure last until it counts as away. */
async function connect(changes: object = {}) {
  const { networks, patience } = settingsFor(urls, changes);
  const layer = nodeLayer(new NetworksSettings(networks, { ...patience, backOffMs: [10_000, 10_000] }));
  await layer.reader.head('sandbox');
  return layer;
}

describe('What is final by the word of another endpoint', () => {
  it('is told by its own head, not by that of the reading endpoint', async () => {
    serve(second, {}, 1_990);
    const { reader, secondEndpoint } = await connect();

    const { finalNumber } = await reader.head('sandbox');

    expect([finalNumber, await secondEndpoint.finalNumber('sandbox')]).toEqual([1_998, 1_988]);
  });

  it.each([
    ['its own finalized block', at(1_936), 1_936],
    ['nothing where it has none', null, null],
  ])('is %s on a network that has such blocks', async (_, finalized, finalNumber) => {
    second.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) =>
      asked === 'finalized' ? finalized : at(2_000),
    );
    reading.answers('eth_getBlockByNumber', at(2_000));
    const { secondEndpoint } = await connect({ finality: 'finalized' });

    expect(await secondEndpoint.finalNumber('sandbox')).toBe(finalNumber);
  });
});

describe('Reading final blocks again by another endpoint', () => {
  it('is by an endpoint whose fingerprint stays when the addresses are put in another order', async () => {
    for (const node of [reading, second]) node.answers('eth_getLogs', []);
    const { reader, secondEndpoint } = await connect();
    const [block] = await reader.blocks('sandbox', 10, 10, 10);
    const name = secondEndpoint.fingerprint('sandbox');

    urls.reverse();
    const reordered = await connect();
    const [again] = await reordered.reader.blocks('sandbox', 10, 10, 10);

    expect([block!.readBy, again!.readBy]).toEqual([reordered.secondEndpoint.fingerprint('sandbox'), name]);
    expect(name).not.toBe(block!.readBy);
  });

  it('tells what they hold, and the last of them for all', async () => {
    second.answers('eth_getLogs', [logAt(11), logAt(13), logAt(13, { logIndex: '0x8' })]);
    const { secondEndpoint } = await connect();
    const askedOfReading = reading.asked.length;

    const { last, contents } = await secondEndpoint.contents('sandbox', 10, 15);

    expect(last).toMatchObject({ number: 15, hash: hashAt(15), parentHash: hashAt(14) });
    expect(contents).toEqual([
      { number: 11, hash: hashAt(11), transfers: [transfer()], payouts: [] },
      { number: 13, hash: hashAt(13), transfers: [transfer(), transfer({ index: 8 })], payouts: [] },
    ]);
    expect(reading.asked).toHaveLength(askedOfReading);
    expect(second.askedFor('eth_getLogs')).toHaveLength(1);
  });

  it('reads many blocks by few questions', async () => {
    second.answers('eth_getLogs', []);
    const { secondEndpoint } = await connect();

    const { last, contents } = await secondEndpoint.contents('sandbox', 1, 1_200);

    expect([last.number, contents]).toEqual([1_200, []]);
    expect(second.posts.length).toBeLessThan(20);
  });

  it('includes native value and payouts where that coin is catalogued', async () => {
    const moved = transaction(0, { blockHash: hashAt(11) });
    serve(second, { 11: { transactions: [moved] } });
    second.answers('eth_getLogs', [settledLog(FACTORY, { blockNumber: hex(12), blockHash: hashAt(12) })]);
    const { secondEndpoint } = await connect(NATIVE);

    const { contents } = await secondEndpoint.contents('sandbox', 10, 12);

    expect(contents).toEqual([
      { number: 11, hash: hashAt(11), transfers: [call(0)], payouts: [] },
      {
        number: 12,
        hash: hashAt(12),
        transfers: [],
        payouts: [
          {
            transactionHash: OTHER_HASH,
            logIndex: 7,
            from: FACTORY,
            address: TO,
            token: 'ETH',
            toSettlement: 90n,
            toFee: 10n,
          },
        ],
      },
    ]);
  });

  it('does not believe an empty range whose bloom filters allow logs', async () => {
    serve(second, { 12: { logsBloom: FULL_BLOOM } });
    second.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) =>
      filter.blockHash === hashAt(12) ? [logAt(12)] : [],
    );
    const { secondEndpoint } = await connect();

    expect((await secondEndpoint.contents('sandbox', 10, 15)).contents).toMatchObject([{ number: 12 }]);
  });

  it.each([
    ['lacks one of them', { 12: null }],
    ['lacks the last', { 15: null }],
    ['tells blocks of two forks', { 13: { hash: OTHER_HASH } }],
  ])('fails where the endpoint %s', async (_, changed: Record<number, object | null>) => {
    serve(second, changed);
    second.answers('eth_getLogs', []);
    const { secondEndpoint, pool } = await connect();

    await expect(secondEndpoint.contents('sandbox', 10, 15)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(pool.snapshot()[1]?.state).toBe('backing_off');
  });

  it('also sees that blocks read in two parts link', async () => {
    serve(second, { 500: { hash: OTHER_HASH } });
    second.answers('eth_getLogs', []);
    const { secondEndpoint } = await connect();

    await expect(secondEndpoint.contents('sandbox', 1, 700)).rejects.toThrow(
      'block 501 does not follow the block before it',
    );
  });

  it('leaves another that is merely behind, and has the reading endpoint read again', async () => {
    serve(second, {}, 13);
    for (const node of [reading, second]) node.answers('eth_getLogs', []);
    const { secondEndpoint, pool } = await connect();

    await expect(secondEndpoint.contents('sandbox', 10, 15)).rejects.toThrow('it does not know block 14');

    expect(pool.snapshot()[1]).toMatchObject({ state: 'backing_off' });
    await expect(secondEndpoint.contents('sandbox', 10, 15)).rejects.toThrow('no second endpoint is healthy');
    passes(4_000);
    expect((await secondEndpoint.contents('sandbox', 10, 15)).last.number).toBe(15);
    expect(secondEndpoint.isIndependent('sandbox')).toBe(false);
  });

  it('tells that another is on another fork, however far that is behind, instead of leaving it', async () => {
    serve(second, { 13: { hash: OTHER_HASH } }, 13);
    for (const node of [reading, second]) node.answers('eth_getLogs', []);
    const { secondEndpoint } = await connect();

    for (let turns = 0; turns < 3; turns += 1) {
      const { last, contents } = await secondEndpoint.contents('sandbox', 10, 15);
      expect([last.number, last.hash, contents]).toEqual([13, OTHER_HASH, []]);
      expect(secondEndpoint.isIndependent('sandbox')).toBe(true);
    }
  });

  it('goes back to the reading endpoint, and says so, while the other fails', async () => {
    reading.answers('eth_getLogs', [logAt(11)]);
    second.answers('eth_getLogs', () => {
      throw new Refusal(-32_000, 'unavailable');
    });
    const { secondEndpoint } = await connect();

    await expect(secondEndpoint.contents('sandbox', 11, 11)).rejects.toBeInstanceOf(ChainUnavailable);
    passes(4_000);
    const again = await secondEndpoint.contents('sandbox', 11, 11);

    expect(again.contents).toHaveLength(1);
    expect(secondEndpoint.isIndependent('sandbox')).toBe(false);
    expect(secondEndpoint.isAlone('sandbox')).toBe(false);
  });

  it('knows that nothing can ever be asked of a second endpoint where only one is configured', () => {
    expect(nodeLayer(settingsFor(urls[0]!)).secondEndpoint.isAlone('sandbox')).toBe(true);
  });
});
