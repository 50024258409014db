import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChainTransfer, ChainUnavailable } from '../../contract/chain-reader.js';
import { nodeLayer } from '../../testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import {
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  call,
  inTopic,
  log,
  transaction,
  transfer,
  wordOf,
} from '../../testing/stub-answers.js';
import { StubNode } from '../../testing/stub-node.js';
import { TRANSFER_TOPIC } from './rpc-logs.js';

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
  const holds = (told: ChainTransfer, changes: object = {}) =>
    nodeLayer(settingsFor(url, changes, 1_000)).reader.holds('sandbox', HASH, told);

  it('is shown by its receipt', async () => {
    node.answers('eth_getTransactionReceipt', receipt());

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
  ])('is refuted where %s', async (_, answer) => {
    node.answers('eth_getTransactionReceipt', answer);
    node.answers('eth_getBlockByHash', block());

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
