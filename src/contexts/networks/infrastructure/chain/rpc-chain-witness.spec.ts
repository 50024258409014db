import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChainTransfer, ChainUnavailable } from '../../contract/chain-reader.js';
import { nodeLayer } from '../../testing/node-layer.js';
import { passes } from '../../testing/several-nodes.js';
import { nativeAsset, sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FROM,
  FULL_BLOOM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  call,
  hex,
  inTopic,
  log,
  settledLog,
  transaction,
  transfer,
  wordOf,
} from '../../testing/stub-answers.js';
import { Refusal, StubNode } from '../../testing/stub-node.js';
import { NetworksSettings } from '../networks-settings.js';
import { TRANSFER_TOPIC } from './rpc-logs.js';

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
  const { networks, patience } = settingsFor(urls, changes, 1_000);
  const layer = nodeLayer(new NetworksSettings(networks, { ...patience, backOffMs: [10_000, 10_000] }));
  await layer.reader.head('sandbox');
  return layer;
}

describe('Reading final blocks again by another endpoint', () => {
  it('tells what they hold, and the last of them for all', async () => {
    second.answers('eth_getLogs', [logAt(11), logAt(13), logAt(13, { logIndex: '0x8' })]);
    const { witness } = await connect();
    const askedOfReading = reading.asked.length;

    const { last, contents } = await witness.contents('sandbox', 10, 15);

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
    const { witness } = await connect();

    const { last, contents } = await witness.contents('sandbox', 1, 1_200);

    expect([last.number, contents]).toEqual([1_200, []]);
    expect(second.posts.length).toBeLessThan(20);
  });

  it('includes native value and payouts where that coin is catalogued', async () => {
    const moved = transaction(0, { blockHash: hashAt(11) });
    serve(second, { 11: { transactions: [moved] } });
    second.answers('eth_getLogs', [settledLog(FACTORY, { blockNumber: hex(12), blockHash: hashAt(12) })]);
    const { witness } = await connect(NATIVE);

    const { contents } = await witness.contents('sandbox', 10, 12);

    expect(contents).toEqual([
      { number: 11, hash: hashAt(11), transfers: [call(0)], payouts: [] },
      {
        number: 12,
        hash: hashAt(12),
        transfers: [],
        payouts: [{ transactionHash: OTHER_HASH, logIndex: 7, address: TO, amount: 100n }],
      },
    ]);
  });

  it('does not believe an empty range whose bloom filters allow logs', async () => {
    serve(second, { 12: { logsBloom: FULL_BLOOM } });
    second.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) =>
      filter.blockHash === hashAt(12) ? [logAt(12)] : [],
    );
    const { witness } = await connect();

    expect((await witness.contents('sandbox', 10, 15)).contents).toMatchObject([{ number: 12 }]);
  });

  it.each([
    ['lacks one of them', { 12: null }],
    ['lacks the last', { 15: null }],
    ['tells blocks of two forks', { 13: { hash: OTHER_HASH } }],
  ])('fails where the endpoint %s', async (_, changed: Record<number, object | null>) => {
    serve(second, changed);
    second.answers('eth_getLogs', []);
    const { witness, pool } = await connect();

    await expect(witness.contents('sandbox', 10, 15)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(pool.snapshot()[1]?.state).toBe('backing_off');
  });

  it('also sees that blocks read in two parts link', async () => {
    serve(second, { 500: { hash: OTHER_HASH } });
    second.answers('eth_getLogs', []);
    const { witness } = await connect();

    await expect(witness.contents('sandbox', 1, 700)).rejects.toThrow('its blocks before 501 do not link');
  });

  it('leaves another that is merely behind, and has the reading endpoint read again', async () => {
    serve(second, {}, 13);
    for (const node of [reading, second]) node.answers('eth_getLogs', []);
    const { witness, pool } = await connect();

    await expect(witness.contents('sandbox', 10, 15)).rejects.toThrow('it does not know block 14');

    expect(pool.snapshot()[1]).toMatchObject({ state: 'backing_off' });
    await expect(witness.contents('sandbox', 10, 15)).rejects.toThrow('no second endpoint is well');
    passes(5_000);
    expect((await witness.contents('sandbox', 10, 15)).last.number).toBe(15);
    expect(witness.isIndependent('sandbox')).toBe(false);
  });

  it('tells that another is on another fork, however far that is behind, instead of leaving it', async () => {
    serve(second, { 13: { hash: OTHER_HASH } }, 13);
    for (const node of [reading, second]) node.answers('eth_getLogs', []);
    const { witness } = await connect();

    for (let turns = 0; turns < 3; turns += 1) {
      const { last, contents } = await witness.contents('sandbox', 10, 15);
      expect([last.number, last.hash, contents]).toEqual([13, OTHER_HASH, []]);
      expect(witness.isIndependent('sandbox')).toBe(true);
    }
  });

  it('goes back to the reading endpoint, and says so, while the other fails', async () => {
    reading.answers('eth_getLogs', [logAt(11)]);
    second.answers('eth_getLogs', () => {
      throw new Refusal(-32_000, 'unavailable');
    });
    const { witness } = await connect();

    await expect(witness.contents('sandbox', 11, 11)).rejects.toBeInstanceOf(ChainUnavailable);
    passes(5_000);
    const again = await witness.contents('sandbox', 11, 11);

    expect(again.contents).toHaveLength(1);
    expect(witness.isIndependent('sandbox')).toBe(false);
    expect(witness.isAlone('sandbox')).toBe(false);
  });

  it('knows that nothing can ever be asked of a second endpoint where only one is configured', () => {
    expect(nodeLayer(settingsFor(urls[0]!)).witness.isAlone('sandbox')).toBe(true);
  });
});

describe('A second word on one transfer', () => {
  const receipt = (changes: object = {}) => ({
    transactionHash: OTHER_HASH,
    blockHash: HASH,
    blockNumber: '0x10',
    status: '0x1',
    logs: [log({ logIndex: '0x6', address: TO }), log()],
    ...changes,
  });
  const holds = async (told: ChainTransfer, changes: object = {}) =>
    (await connect(changes)).witness.holds('sandbox', HASH, told);

  it('is good where the receipt holds it', async () => {
    second.answers('eth_getTransactionReceipt', receipt());

    expect(await holds(transfer())).toBe(true);
  });

  it.each([
    ['there is no receipt', null],
    ['it stands in another block', receipt({ blockHash: OTHER_HASH, logs: [] })],
    ['it failed', receipt({ status: '0x0', logs: [] })],
    ['it lacks that log', receipt({ logs: [log({ logIndex: '0x6' })] })],
    ['the log is by another contract', receipt({ logs: [log({ address: TO })] })],
    ['the log is of another amount', receipt({ logs: [log({ data: wordOf(1_501) })] })],
    [
      'the log is to somebody else',
      receipt({ logs: [log({ topics: [TRANSFER_TOPIC, inTopic(TO), inTopic(FROM)] })] }),
    ],
  ])('is not good where %s', async (_, answer) => {
    second.answers('eth_getTransactionReceipt', answer);
    second.answers('eth_getBlockByHash', block());

    expect(await holds(transfer())).toBe(false);
  });

  describe('by its transaction', () => {
    const told = call(2);
    const ofCall = receipt({ transactionHash: told.transactionHash, logs: [] });

    it.each<[string, object | null, boolean]>([
      ['as told', transaction(2), true],
      ['with another value', transaction(2, { value: '0x6' }), false],
      ['to somebody else', transaction(2, { to: FROM }), false],
      ['at another place', transaction(2, { transactionIndex: '0x3' }), false],
      ['of another block', transaction(2, { blockHash: OTHER_HASH }), false],
      ['that creates a contract', transaction(2, { to: null }), false],
      ['that is not mined', transaction(2, { blockHash: null }), false],
    ])('judges one %s', async (_, answer, expected) => {
      second.answers('eth_getTransactionReceipt', ofCall);
      second.answers('eth_getTransactionByHash', answer);

      expect(await holds(told, NATIVE)).toBe(expected);
    });

    it('does not judge one that the node does not know, although it has its receipt', async () => {
      second.answers('eth_getTransactionReceipt', ofCall);
      second.answers('eth_getTransactionByHash', null);

      await expect(holds(told, NATIVE)).rejects.toBeInstanceOf(ChainUnavailable);
    });

    it('is not good where the call failed', async () => {
      second.answers('eth_getTransactionReceipt', { ...ofCall, status: '0x0' });
      second.answers('eth_getTransactionByHash', transaction(2));

      expect(await holds(told, NATIVE)).toBe(false);
    });
  });
});
