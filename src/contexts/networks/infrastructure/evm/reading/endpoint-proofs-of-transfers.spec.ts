import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChainTransfer, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  call,
  hex,
  inTopic,
  log,
  transaction,
  transfer,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworksSettings } from '../../networks-settings.js';
import { TRANSFER_TOPIC } from '../rpc/log-answers.js';

const NATIVE = { assets: [sampleAsset(), nativeAsset()], factory: `0x${'fa'.repeat(20)}` };

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

describe('Whether a transfer stands in a block', () => {
  const receipt = (changes: object = {}) => ({
    transactionHash: OTHER_HASH,
    blockHash: HASH,
    blockNumber: '0x10',
    status: '0x1',
    logs: [log({ logIndex: '0x6', address: TO }), log()],
    ...changes,
  });
  const holdsEach = (told: readonly ChainTransfer[], changes: object = {}) =>
    nodeLayer(settingsFor(url, changes)).reader.holds('sandbox', HASH, told);
  const holds = async (told: ChainTransfer, changes: object = {}) => (await holdsEach([told], changes))[0];

  it('is shown by its receipt', async () => {
    node.answers('eth_getTransactionReceipt', receipt());

    expect(await holds(transfer())).toBe(true);
  });

  it.each([
    ['there is no receipt', null],
    [
      'it stands in another block',
      receipt({ blockHash: OTHER_HASH, logs: [log({ blockHash: OTHER_HASH })] }),
    ],
    ['it failed', receipt({ status: '0x0', logs: [] })],
    ['it lacks that log', receipt({ logs: [log({ logIndex: '0x6' })] })],
    ['the log is by another contract', receipt({ logs: [log({ address: TO })] })],
    ['the log is of another amount', receipt({ logs: [log({ data: wordOf(1_501) })] })],
    [
      'the log is to somebody else',
      receipt({ logs: [log({ topics: [TRANSFER_TOPIC, inTopic(TO), inTopic(FROM)] })] }),
    ],
  ])('is refuted where %s', async (_, answer) => {
    node.answers('eth_getTransactionReceipt', answer);
    node.answers('eth_getBlockByHash', block());

    expect(await holds(transfer())).toBe(false);
  });

  it('is neither shown nor refuted by a receipt of a failure that has its log', async () => {
    node.answers('eth_getTransactionReceipt', receipt({ status: '0x0' }));

    await expect(holds(transfer())).rejects.toThrow(ChainUnavailable);
  });

  it('is refuted where the log is by somebody else', async () => {
    node.answers('eth_getTransactionReceipt', receipt());

    expect(await holds(transfer({ from: TO }))).toBe(false);
  });

  it('is shown beside a log of another contract under the same index', async () => {
    node.answers('eth_getTransactionReceipt', receipt({ logs: [log({ address: TO }), log()] }));

    expect(await holds(transfer())).toBe(true);
  });

  describe('by one receipt for all of its transaction', () => {
    const many = Array.from({ length: 4_000 }, (_, i) => i + 1);
    const ofMany = receipt({ logs: many.map((i) => log({ logIndex: hex(i), data: wordOf(i) })) });

    it('is told of each in the order asked for', async () => {
      node.answers('eth_getTransactionReceipt', ofMany);
      const asked = many.toReversed().map((i) => transfer({ index: i, amount: BigInt(i % 7 === 0 ? 1 : i) }));

      const held = await holdsEach(asked);

      expect(held).toEqual(many.toReversed().map((i) => i % 7 !== 0));
      expect(node.askedFor('eth_getTransactionReceipt')).toHaveLength(1);
    });

    it('is told of its logs and its own value alike, by one question for the transaction', async () => {
      const told = call(2);
      const ofCall = { transactionHash: told.transactionHash };
      node.answers('eth_getTransactionReceipt', receipt({ ...ofCall, logs: [log(ofCall)] }));
      node.answers('eth_getTransactionByHash', transaction(2));

      const held = await holdsEach(
        [told, transfer(ofCall), transfer({ ...ofCall, index: 2 }), { ...told, amount: 6n }],
        NATIVE,
      );

      expect(held).toEqual([true, true, false, false]);
      expect(node.asked).toHaveLength(2);
    });

    it.each([
      ['is of another block', receipt({ blockHash: OTHER_HASH, logs: [log({ blockHash: OTHER_HASH })] })],
      ['is of a failure', receipt({ status: '0x0', logs: [] })],
      ['is missing', null],
    ])('is refuted of each where it %s', async (_, answer) => {
      node.answers('eth_getTransactionReceipt', answer);
      node.answers('eth_getBlockByHash', block());

      expect(await holdsEach([transfer(), transfer({ index: 6 })])).toEqual([false, false]);
    });

    it('is refuted of its own value too where it is of a failure', async () => {
      const told = call(2);
      const failed = { transactionHash: told.transactionHash, status: '0x0', logs: [] };
      node.answers('eth_getTransactionReceipt', receipt(failed));
      node.answers('eth_getTransactionByHash', transaction(2));

      const held = await holdsEach([told, transfer({ transactionHash: told.transactionHash })], NATIVE);

      expect(held).toEqual([false, false]);
    });

    it('is not asked of two transactions at once', async () => {
      node.answers('eth_getTransactionReceipt', receipt());

      await expect(holdsEach([transfer(), call(2)], NATIVE)).rejects.toThrow('of one transaction');
    });

    it('is nothing of nothing', async () => {
      expect(await holdsEach([])).toEqual([]);
      expect(node.asked).toEqual([]);
    });
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
      node.answers('eth_getTransactionReceipt', ofCall);
      node.answers('eth_getTransactionByHash', answer);

      expect(await holds(told, NATIVE)).toBe(expected);
    });

    it('does not judge one that the node does not know, although it has its receipt', async () => {
      node.answers('eth_getTransactionReceipt', ofCall);
      node.answers('eth_getTransactionByHash', null);

      await expect(holds(told, NATIVE)).rejects.toBeInstanceOf(ChainUnavailable);
    });

    it('is refuted where the call failed', async () => {
      node.answers('eth_getTransactionReceipt', { ...ofCall, status: '0x0' });
      node.answers('eth_getTransactionByHash', transaction(2));

      expect(await holds(told, NATIVE)).toBe(false);
    });
  });
});

describe('A transfer among more logs than are parsed at once', () => {
  const many = (changes: object = {}) => ({
    transactionHash: OTHER_HASH,
    blockHash: HASH,
    blockNumber: '0x10',
    status: '0x1',
    logsBloom: `0x${'ff'.repeat(256)}`,
    logs: Array.from({ length: 60 }, (_, i) => log({ logIndex: hex(i) })),
    ...changes,
  });
  const holds = async (...told: ChainTransfer[]) => {
    const { networks, patience } = settingsFor(url);
    const settings = new NetworksSettings(networks, { ...patience, retryAfterMs: [], parsedBytes: 6_000 });
    return nodeLayer(settings).reader.holds('sandbox', HASH, told);
  };
  beforeEach(() => node.answers('eth_getBlockByHash', block()));

  it.each([
    ['is shown by its receipt, read in parts', many(), [true, true, false]],
    ['is refuted where it stands in another block', many({ blockHash: OTHER_HASH }), [false, false, false]],
  ])('%s', async (_, receipt, shown) => {
    node.answers('eth_getTransactionReceipt', receipt);
    const told = [7, 59, 60].map((index) => transfer({ index }));

    expect(await holds(...told)).toEqual(shown);
  });

  it.each([
    ['another transaction', many({ transactionHash: HASH }), 'a receipt belongs to another transaction'],
    ['no status', many({ status: undefined }), 'status is not a quantity'],
    ['a failure that has its log', many({ status: '0x0' }), 'a failed transaction has a log'],
  ])('is not believed by a receipt of %s', async (_, receipt, reason) => {
    node.answers('eth_getTransactionReceipt', receipt);

    await expect(holds(transfer())).rejects.toThrow(reason);
  });
});
