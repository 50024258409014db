import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ChainReader,
  ChainUnavailable,
  BlockStateUnavailable,
  type ChainTransfer,
} from '#contexts/networks/contract/chain-reader.js';
import { nodeLayer } from '../testing/node-layer.js';
import {
  SAMPLE_TOKEN,
  settingsFor,
  nativeAsset,
  sampleAsset,
} from '#contexts/networks/testing/sample-configuration.js';
import {
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  hex,
  transfer,
  wordOf,
  call,
  inTopic,
  log,
  transaction,
} from '#contexts/networks/testing/stub-answers.js';
import { Refusal, type RpcRequest, StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const readerFor = (changes: object = {}): ChainReader => nodeLayer(settingsFor(url, changes)).reader;

describe('The success of transactions', () => {
  const receipt = (hash: unknown, changes: object = {}) => ({
    transactionHash: hash,
    blockHash: HASH,
    status: '0x1',
    ...changes,
  });

  it('follows from their receipts', async () => {
    const failed = wordOf(2);
    node.answers('eth_getTransactionReceipt', ({ params: [hash] }: RpcRequest) =>
      receipt(hash, hash === failed ? { status: '0x0' } : {}),
    );

    const succeeded = await readerFor().succeededTransactions(HASH, [wordOf(1), failed, wordOf(3)]);

    expect([...succeeded]).toEqual([wordOf(1), wordOf(3)]);
    expect(node.posts).toEqual([3]);
  });

  it.each([
    ['of another block', { blockHash: OTHER_HASH }],
    ['of another transaction', { transactionHash: OTHER_HASH }],
    ['without a status', { status: undefined }],
  ])('is not believed from a receipt %s', async (_, changes) => {
    node.answers('eth_getTransactionReceipt', ({ params: [hash] }: RpcRequest) => receipt(hash, changes));

    await expect(readerFor().succeededTransactions(HASH, [wordOf(1)])).rejects.toBeInstanceOf(
      ChainUnavailable,
    );
  });
});

describe('A transfer without a receipt', () => {
  const holds = () => readerFor().containsTransfers(HASH, [transfer()]);
  const listed = (answer: unknown) => {
    node.answers('eth_getTransactionReceipt', null);
    node.answers('eth_getBlockByHash', answer);
  };

  it('is absent if the list of the block lacks its transaction', async () => {
    listed(block({ transactions: [wordOf(1), wordOf(2)] }));

    expect(await holds()).toEqual([false]);
    expect(node.askedFor('eth_getBlockByHash')[0]?.params).toEqual([HASH, false]);
  });

  it.each([
    ['the list has it: the receipt is yet to come', block({ transactions: [wordOf(1), OTHER_HASH] })],
    ['the list has it in capitals', block({ transactions: [`0x${OTHER_HASH.slice(2).toUpperCase()}`] })],
    ['the node does not know the block', null],
    ['another block was returned', block({ hash: OTHER_HASH })],
  ])('is not taken for absent without proof: %s', async (_, answer) => {
    listed(answer);

    await expect(holds()).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The reader of native balances', () => {
  const addresses = Array.from({ length: 1_200 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);

  it('reads balances at the block, a thousand per batch, in order', async () => {
    node.answers('eth_getBalance', ({ params: [address] }: { params: string[] }) =>
      hex(BigInt(address!) + 1n),
    );

    const balances = await readerFor().balances(HASH, addresses);

    expect(balances).toEqual(addresses.map((_, i) => BigInt(i + 1)));
    expect(node.posts.toSorted((a, b) => a - b)).toEqual([200, 1_000]);
    expect(node.asked[0]?.params).toEqual([addresses[0], { blockHash: HASH }]);
  });

  it.each([
    'missing trie node 7f…a1 (path ) state 0x12 is not available, not found',
    'required historical state unavailable (reexec=128)',
    'historical state 0xab is not available',
    'state at block #123 is pruned',
    'World state unavailable',
    'old data not available due to pruning',
    'BlockOutOfRangeError: block height is 122 but requested was 42',
  ])('reports pruned state by the words of the node: "%s"', async (message) => {
    node.answers('eth_getBalance', () => {
      throw new Refusal(-32_000, message);
    });
    const { reader, pool } = nodeLayer(settingsFor(url));

    await expect(reader.balances(HASH, [TO, FROM])).rejects.toBeInstanceOf(BlockStateUnavailable);
    expect(pool.snapshot()[0]?.state).toBe('well');
  });

  it.each([['0x'], [null]])('rejects an answer that is not a balance: %j', async (balance) => {
    node.answers('eth_getBalance', balance);

    await expect(readerFor().balances(HASH, [TO])).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The reader of the balances of a token', () => {
  it('reads the balance from the contract at the block', async () => {
    node.answers('eth_call', `0x${'00'.repeat(31)}2a`);

    expect(await readerFor().tokenBalances(HASH, TO, [FROM])).toEqual([42n]);
    const data = `0x70a08231${FROM.slice(2).toLowerCase().padStart(64, '0')}`;
    expect(node.asked[0]?.params).toEqual([{ to: TO, data, gas: '0x1e8480' }, { blockHash: HASH }]);
  });

  const reverts = (code: number, message: string) => () => {
    throw new Refusal(code, message);
  };
  it.each([
    ['reverts', reverts(3, 'execution reverted: paused')],
    ['burns all gas', reverts(-32_000, 'out of gas')],
    ['fails in the words of another node', reverts(-32_015, 'VM execution error.')],
    ['answers nothing', () => '0x'],
    ['answers half a word', () => '0x2a'],
    ['answers more than a word', () => `0x${'00'.repeat(33)}`],
  ])('returns null if the contract %s, and keeps the endpoint healthy', async (_, failing) => {
    const bad = (params: unknown[]) => (params[0] as { data: string }).data.endsWith(TO.slice(2));
    node.answers('eth_call', ({ params }: { params: unknown[] }) =>
      bad(params) ? failing() : `0x${'00'.repeat(31)}2a`,
    );
    const { reader, pool } = nodeLayer(settingsFor(url));

    expect(await reader.tokenBalances(HASH, TO, [FROM, TO, FROM])).toEqual([42n, null, 42n]);
    expect(pool.snapshot()[0]).toMatchObject({ state: 'well', use: 'reading' });
  });

  it('fails, with the endpoint, if the node refuses', async () => {
    node.answers('eth_call', reverts(-32_000, 'header not found'));
    const { reader, pool } = nodeLayer(settingsFor(url));

    await expect(reader.tokenBalances(HASH, TO, [FROM])).rejects.toBeInstanceOf(ChainUnavailable);
    expect(pool.snapshot()[0]?.state).toBe('backing_off');
  });
});

const NATIVE = { assets: [sampleAsset(), nativeAsset()], factory: `0x${'fa'.repeat(20)}` };

describe('A transfer that is verified in its block', () => {
  const receipt = (changes: object = {}) => ({
    transactionHash: OTHER_HASH,
    blockHash: HASH,
    blockNumber: '0x10',
    status: '0x1',
    logs: [log({ logIndex: '0x6', address: TO }), log()],
    ...changes,
  });
  const holdsEach = (told: readonly ChainTransfer[], changes: object = {}) =>
    nodeLayer(settingsFor(url, changes)).reader.containsTransfers(HASH, told);
  const holds = async (told: ChainTransfer, changes: object = {}) => (await holdsEach([told], changes))[0];

  it.each([
    ['there is no receipt', null],
    ['it failed', receipt({ status: '0x0', logs: [] })],
    ['it lacks that log', receipt({ logs: [log({ logIndex: '0x6' })] })],
    ['the log is by another contract', receipt({ logs: [log({ address: TO })] })],
    ['the log is of another amount', receipt({ logs: [log({ data: wordOf(1_501) })] })],
    [
      'the log is from somebody else',
      receipt({ logs: [log({ topics: [TRANSFER_TOPIC, inTopic(TO), inTopic(TO)] })] }),
    ],
    [
      'the log is to somebody else',
      receipt({ logs: [log({ topics: [TRANSFER_TOPIC, inTopic(TO), inTopic(FROM)] })] }),
    ],
  ])('is refuted if %s', async (_, answer) => {
    node.answers('eth_getTransactionReceipt', answer);
    node.answers('eth_getBlockByHash', block());

    expect(await holds(transfer())).toBe(false);
  });

  it('is neither shown nor refuted by a receipt of a failure that has its log', async () => {
    node.answers('eth_getTransactionReceipt', receipt({ status: '0x0' }));

    await expect(holds(transfer())).rejects.toThrow(ChainUnavailable);
  });

  describe('with others of the same transaction', () => {
    const many = Array.from({ length: 4_000 }, (_, i) => i + 1);
    const ofMany = receipt({
      logs: many.map((i) => log({ logIndex: hex(i), data: wordOf(i), address: SAMPLE_TOKEN })),
    });

    it('is verified by one receipt for all, with results in the requested order', async () => {
      node.answers('eth_getTransactionReceipt', ofMany);
      const asked = many.toReversed().map((i) => transfer({ index: i, amount: BigInt(i % 7 === 0 ? 1 : i) }));

      const held = await holdsEach(asked);

      expect(held).toEqual(many.toReversed().map((i) => i % 7 !== 0));
      expect(node.askedFor('eth_getTransactionReceipt')).toHaveLength(1);
    });

    it.each<[string, object, boolean]>([
      ['refuted if its transaction failed', { status: '0x0', logs: [] }, false],
      ['refuted if its transaction is in another block', { blockHash: OTHER_HASH }, false],
      ['shown if its transaction succeeded', {}, true],
    ])('is %s, also as native value', async (_, changes, expected) => {
      const told = call(2);
      const { transactionHash } = told;
      const logs = [log({ transactionHash })];
      node.answers('eth_getTransactionReceipt', receipt({ transactionHash, logs, ...changes }));
      node.answers('eth_getTransactionByHash', transaction(2));

      const held = await holdsEach([told, transfer({ transactionHash })], NATIVE);

      expect(held).toEqual([expected, expected]);
    });
  });

  describe('of native value', () => {
    const told = call(2);
    const ofCall = receipt({ transactionHash: told.transactionHash, logs: [] });

    it.each<[string, object | null, boolean]>([
      ['as told', transaction(2), true],
      ['with another value', transaction(2, { value: '0x6' }), false],
      ['to somebody else', transaction(2, { to: FROM }), false],
      ['of another block', transaction(2, { blockHash: OTHER_HASH }), false],
      ['of no block yet', transaction(2, { blockHash: null }), false],
    ])('is compared with its transaction: %s', async (_, answer, expected) => {
      node.answers('eth_getTransactionReceipt', ofCall);
      node.answers('eth_getTransactionByHash', answer);

      expect(await holds(told, NATIVE)).toBe(expected);
    });

    it('is not judged if the node does not know its transaction, even if it has the receipt', async () => {
      node.answers('eth_getTransactionReceipt', ofCall);
      node.answers('eth_getTransactionByHash', null);

      await expect(holds(told, NATIVE)).rejects.toBeInstanceOf(ChainUnavailable);
    });
  });
});

describe('A transfer among more logs than one answer may have', () => {
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
    return nodeLayer(settings).reader.containsTransfers(HASH, told);
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
