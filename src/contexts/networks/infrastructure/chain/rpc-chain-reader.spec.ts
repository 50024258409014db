import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable, StateUnavailable } from '../../contract/chain-reader.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { nodeLayer } from '../../testing/node-layer.js';
import { SAMPLE_TOKEN, nativeAsset, sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FROM,
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
import { Refusal, type RpcRequest, StubNode } from '../../testing/stub-node.js';
import type { RpcChainReader } from './rpc-chain-reader.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC } from './rpc-logs.js';

const FACTORY = `0x${'fa'.repeat(20)}`;
const NATIVE = { assets: [sampleAsset(), nativeAsset()], factory: FACTORY };

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const readerFor = (changes: object = {}): RpcChainReader => nodeLayer(settingsFor(url, changes, 250)).reader;

/** The contents of block 16, far above finality. */
async function contentsOf16(reader = readerFor()) {
  const [read] = await reader.blocks('sandbox', 16, 16, null);
  return read;
}

describe('A chain that is not proven to be the right one', () => {
  it('is not read', async () => {
    const { reader } = nodeLayer(settingsFor(url), new NetworkGate());

    await expect(reader.block('sandbox', 16)).rejects.toThrow('sandbox did not answer: it is not proven');
    expect(node.asked).toEqual([]);
  });
});

describe('The head of a chain', () => {
  it.each([
    [1, 16],
    [3, 14],
    [17, 0],
    [18, null],
  ])('with %i confirmations makes block %s final', async (confirmations, finalNumber) => {
    node.answers('eth_getBlockByNumber', block());

    const { head, finalNumber: found } = await readerFor({ finality: { confirmations } }).head('sandbox');

    expect(head).toEqual({
      number: 16,
      hash: HASH,
      parentHash: OTHER_HASH,
      time: new Date(0x65000000 * 1_000),
    });
    expect(found).toBe(finalNumber);
  });

  it.each([
    ['0x9', 9],
    ['0x20', 16],
  ])('takes the finalized block %s, but none past the head', async (number, finalNumber) => {
    const blocks: Record<string, object> = {
      latest: block(),
      finalized: block({ number, hash: OTHER_HASH }),
    };
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) => blocks[params[0] ?? '']);

    const head = await readerFor({ finality: 'finalized' }).head('sandbox');

    expect(head.finalNumber).toBe(finalNumber);
    expect(node.posts).toEqual([2]);
  });

  it.each([
    ['by null', () => null],
    [
      'by an error',
      () => {
        throw new Refusal(-32_000, 'finalized block not found');
      },
    ],
  ])('has no final block while the node tells of none %s', async (_, finalized) => {
    node.answers('eth_getBlockByNumber', ({ params }: { params: string[] }) =>
      params[0] === 'latest' ? block() : finalized(),
    );

    expect((await readerFor({ finality: 'finalized' }).head('sandbox')).finalNumber).toBeNull();
  });
});

describe('A block by its number', () => {
  it('is null where the node has none', async () => {
    node.answers('eth_getBlockByNumber', null);

    expect(await readerFor().block('sandbox', 16)).toBeNull();
  });

  it.each([
    ['another number', { number: '0x11' }],
    ['no hash, as a pending one', { hash: null }],
    ['a short hash', { hash: '0xab' }],
    ['no parent', { parentHash: undefined }],
    ['a number for a time', { timestamp: 1_694_498_816 }],
    ['a time past what a date holds', { timestamp: '0xffffffffffff' }],
  ])('is refused with %s', async (_, changes) => {
    node.answers('eth_getBlockByNumber', block(changes));

    await expect(readerFor().block('sandbox', 16)).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The transfers of a block near the head', () => {
  beforeEach(() => node.answers('eth_getBlockByNumber', block()));

  it('are asked by its hash, for the catalogued tokens only', async () => {
    node.answers('eth_getLogs', [log()]);

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
    expect(node.askedFor('eth_getLogs').map(({ params }) => params)).toEqual([
      [{ blockHash: HASH, address: [SAMPLE_TOKEN.toLowerCase()], topics: [TRANSFER_TOPIC] }],
    ]);
  });

  it('are in chain order, without those of nothing', async () => {
    node.answers('eth_getLogs', [log({ logIndex: '0x9' }), log({ logIndex: '0x8', data: wordOf(0) }), log()]);

    expect((await contentsOf16())?.transfers).toEqual([transfer(), transfer({ index: 9 })]);
  });

  it('are told in lower case, however the node writes', async () => {
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
    const { address, topics, blockHash, transactionHash } = log();
    node.answers('eth_getLogs', [
      log({
        address: upper(address),
        topics: topics.map(upper),
        blockHash: upper(blockHash),
        transactionHash: upper(transactionHash),
      }),
    ]);

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
  });

  it.each([
    ['of another block', { blockHash: OTHER_HASH }],
    ['of another height', { blockNumber: '0x11' }],
    ['that were removed', { removed: true }],
    ['told twice', { logIndex: '0x7' }],
    ['of a contract that was not asked for', { address: TO }],
    ['of another event', { topics: [OTHER_HASH, inTopic(FROM), inTopic(TO)] }],
    ['with more topics than a log can have', { topics: [...log().topics, inTopic(TO), inTopic(TO)] }],
    ['with a topic cut off', { topics: [TRANSFER_TOPIC, inTopic(FROM), inTopic(TO).slice(0, -2)] }],
    ['without topics', { topics: [] }],
    ['with data cut off within a byte', { data: '0x123' }],
    ['without data', { data: undefined }],
    ['without a position', { logIndex: undefined }],
    ['without a transaction', { transactionHash: null }],
    ['without a block', { blockHash: undefined }],
  ])('are refused if among them are logs %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    await expect(contentsOf16()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it.each([
    ['a third indexed argument, as ERC-721 has', { topics: [...log().topics, inTopic(TO)], data: '0x' }],
    ['an argument less', { topics: [TRANSFER_TOPIC, inTopic(FROM)] }],
    ['a recipient that is no address', { topics: [TRANSFER_TOPIC, inTopic(FROM), OTHER_HASH] }],
    ['no amount', { data: '0x' }],
    ['an odd length of data', { data: `0x${'11'.repeat(33)}` }],
  ])('are read past a log under their topic with %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
  });

  it('are refused if the node no longer knows the block, though it answers with none', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByHash', null);

    await expect(contentsOf16()).rejects.toThrow('the node has no such block');
  });

  it('are none where the block rules them out', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByNumber', block({ logsBloom: EMPTY_BLOOM }));

    expect(await contentsOf16()).toMatchObject({ transfers: [], payouts: [] });
    expect(node.asked).toHaveLength(2);
  });

  it('are asked for again where none came though the block may hold some', async () => {
    let asked = 0;
    node.answers('eth_getLogs', () => ((asked += 1) === 1 ? [] : [log()]));
    node.answers('eth_getBlockByHash', block());

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
  });

  it('are refused if the node refuses to look up the block', async () => {
    node.answers('eth_getLogs', () => {
      throw new Refusal(-32_000, 'unknown block');
    });

    await expect(contentsOf16()).rejects.toThrow('the node refused (-32000): unknown block');
  });
});

describe('Blocks in a row', () => {
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
  const serve = (newest: number) =>
    node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) => {
      const number = asked === 'latest' ? newest : Number(asked);
      return number > newest ? null : at(number);
    });
  const ranges = () =>
    node
      .askedFor('eth_getLogs')
      .map(({ params: [filter] }) => filter as { fromBlock?: string; toBlock?: string; blockHash?: string })
      .map(({ fromBlock, toBlock, blockHash }) => blockHash ?? [Number(fromBlock), Number(toBlock)]);

  it('come in order with their contents, below finality by one range and above by hash', async () => {
    serve(20);
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) => {
      if (filter.blockHash === undefined) return [logAt(11), logAt(13), logAt(13, { logIndex: '0x8' })];
      return filter.blockHash === hashAt(15) ? [logAt(15)] : [];
    });

    const blocks = await readerFor().blocks('sandbox', 10, 15, 13);

    expect(blocks.map(({ header, transfers }) => [header.number, transfers.length])).toEqual([
      [10, 0],
      [11, 1],
      [12, 0],
      [13, 2],
      [14, 0],
      [15, 1],
    ]);
    expect(ranges()).toEqual(expect.arrayContaining([[10, 13], hashAt(14), hashAt(15)]));
    expect(node.posts.length).toBe(3);
  });

  it('end before the first that the node does not have', async () => {
    serve(12);
    node.answers('eth_getLogs', []);
    const reader = readerFor();

    expect((await reader.blocks('sandbox', 10, 15, null)).map(({ header }) => header.number)).toEqual([
      10, 11, 12,
    ]);
    expect(await reader.blocks('sandbox', 13, 15, null)).toEqual([]);
    expect(await reader.blocks('sandbox', 10, 9, null)).toEqual([]);
  });

  it('are not asked again for the head that the turn began with', async () => {
    serve(12);
    node.answers('eth_getLogs', []);
    const reader = readerFor();

    await reader.head('sandbox');
    const blocks = await reader.blocks('sandbox', 11, 12, null);

    expect(blocks.map(({ header }) => header.hash)).toEqual([hashAt(11), hashAt(12)]);
    expect(node.askedFor('eth_getBlockByNumber').map(({ params }) => params[0])).toEqual(['latest', '0xb']);
  });

  it.each([
    ['query returned more than 10000 results', -32_005],
    ['block range too large', -32_602],
    ['eth_getLogs is limited to a 10 block range', -32_600],
    ['internal error', -32_603],
  ])('are read by narrower ranges where the node says "%s"', async (message, code) => {
    serve(60);
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ fromBlock: string; toBlock: string }] }) => {
      const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
      if (to - from >= 10) throw new Refusal(code, message);
      return Array.from({ length: to - from + 1 }, (_, i) => logAt(from + i));
    });

    const blocks = await readerFor().blocks('sandbox', 11, 50, 60);

    expect(blocks.map(({ transfers }) => transfers.length)).toEqual(blocks.map(() => 1));
    expect(blocks).toHaveLength(40);
    expect(ranges().slice(0, 3)).toEqual([
      [11, 50],
      [11, 30],
      [11, 20],
    ]);
  });

  it('remember the width that was refused, and try a wider one only slowly', async () => {
    serve(1_000);
    let refusals = 0;
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ fromBlock: string; toBlock: string }] }) => {
      if (Number(filter.toBlock) - Number(filter.fromBlock) < 10) return [];
      refusals += 1;
      throw new Refusal(-32_005, 'block range too large');
    });
    const reader = readerFor();

    await reader.blocks('sandbox', 1, 400, 1_000);
    const untilNarrow = refusals;
    await reader.blocks('sandbox', 401, 800, 1_000);

    expect(untilNarrow).toBeLessThanOrEqual(10);
    expect(refusals - untilNarrow).toBeLessThanOrEqual(2);
  });

  it.each([
    ['of another fork', { blockHash: OTHER_HASH }],
    ['past the end of the range', { blockNumber: '0x40' }],
    ['that were removed', { removed: true }],
  ])('are refused if a range has logs %s', async (_, changes) => {
    serve(20);
    node.answers('eth_getLogs', [logAt(11), logAt(12, changes)]);

    await expect(readerFor().blocks('sandbox', 10, 15, 20)).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('are asked for one by one where a range left out what the bloom filters allow', async () => {
    node.answers('eth_getBlockByNumber', ({ params: [asked] }: { params: string[] }) =>
      at(Number(asked), Number(asked) === 12 ? { logsBloom: block().logsBloom } : {}),
    );
    node.answers('eth_getLogs', ({ params: [filter] }: { params: [{ blockHash?: string }] }) =>
      filter.blockHash === undefined ? [logAt(11)] : [logAt(12)],
    );

    const blocks = await readerFor().blocks('sandbox', 10, 15, 20);

    expect(blocks.map(({ transfers }) => transfers.length)).toEqual([0, 1, 1, 0, 0, 0]);
    expect(ranges()).toEqual([[10, 15], hashAt(12)]);
  });
});

describe('A block of a network whose native coin is catalogued', () => {
  const full = (...transactions: object[]) =>
    node.answers('eth_getBlockByNumber', block({ transactions, logsBloom: EMPTY_BLOOM }));

  it('is asked for with its transactions, whose value is a call each', async () => {
    full(transaction(0), transaction(1, { value: '0x0' }), transaction(2, { to: null }), transaction(3));
    node.answers('eth_getLogs', []);

    expect((await contentsOf16(readerFor(NATIVE)))?.transfers).toEqual([call(0), call(3)]);
    expect(node.askedFor('eth_getBlockByNumber')[0]?.params).toEqual(['0x10', true]);
  });

  it('tells of calls and logs in the order in which they ran', async () => {
    full(transaction(0), transaction(1), transaction(2), transaction(3));
    node.answers('eth_getLogs', [log({ transactionIndex: '0x1', logIndex: '0x4' }), log()]);

    expect((await contentsOf16(readerFor(NATIVE)))?.transfers).toEqual([
      call(0),
      call(1),
      transfer({ index: 4 }),
      call(2),
      transfer(),
      call(3),
    ]);
  });

  it('tells what its factory paid out, of native coin only', async () => {
    full();
    const ofToken = settledLog(FACTORY, { logIndex: '0x8' });
    ofToken.data = ofToken.data.replace(wordOf(0).slice(2), inTopic(SAMPLE_TOKEN.toLowerCase()).slice(2));
    node.answers('eth_getLogs', [
      settledLog(FACTORY),
      ofToken,
      settledLog(SAMPLE_TOKEN, { logIndex: '0x9' }),
      settledLog(FACTORY, { logIndex: '0xa', data: '0x' }),
    ]);

    const contents = await contentsOf16(readerFor(NATIVE));

    expect(contents).toMatchObject({
      transfers: [],
      payouts: [{ transactionHash: OTHER_HASH, logIndex: 7, address: TO, amount: 100n }],
    });
    expect(contents?.payouts).toHaveLength(1);
    expect(node.askedFor('eth_getLogs')[0]?.params).toEqual([
      {
        blockHash: HASH,
        address: [SAMPLE_TOKEN.toLowerCase(), FACTORY],
        topics: [[TRANSFER_TOPIC, SETTLED_TOPIC]],
      },
    ]);
  });

  it('is read where that coin is all there is', async () => {
    full(transaction(0));
    node.answers('eth_getLogs', [settledLog(FACTORY)]);

    const contents = await contentsOf16(readerFor({ ...NATIVE, assets: [nativeAsset()] }));

    expect(contents).toMatchObject({ transfers: [call(0)], payouts: [{ amount: 100n }] });
  });

  it.each([
    ['left out', [transaction(0), transaction(2)]],
    ['repeated', [transaction(0), transaction(0)]],
    ['of another block', [transaction(0, { blockHash: OTHER_HASH })]],
    ['without a sender', [transaction(0, { from: undefined })]],
    ['without a value', [transaction(0, { value: undefined })]],
    ['told as hashes alone', [HASH]],
  ])('is refused with transactions %s', async (_, transactions) => {
    full(...(transactions as object[]));
    node.answers('eth_getLogs', []);

    await expect(contentsOf16(readerFor(NATIVE))).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('The success of transactions', () => {
  const receipt = (hash: unknown, changes: object = {}) => ({
    transactionHash: hash,
    blockHash: HASH,
    status: '0x1',
    ...changes,
  });

  it('is told by their receipts', async () => {
    const failed = wordOf(2);
    node.answers('eth_getTransactionReceipt', ({ params: [hash] }: RpcRequest) =>
      receipt(hash, hash === failed ? { status: '0x0' } : {}),
    );

    const succeeded = await readerFor().succeeded('sandbox', HASH, [wordOf(1), failed, wordOf(3)]);

    expect([...succeeded]).toEqual([wordOf(1), wordOf(3)]);
    expect(node.posts).toEqual([3]);
  });

  it.each([
    ['of another block', { blockHash: OTHER_HASH }],
    ['of another transaction', { transactionHash: OTHER_HASH }],
    ['without a status', { status: undefined }],
  ])('is not believed from a receipt %s', async (_, changes) => {
    node.answers('eth_getTransactionReceipt', ({ params: [hash] }: RpcRequest) => receipt(hash, changes));

    await expect(readerFor().succeeded('sandbox', HASH, [wordOf(1)])).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('is not told without a receipt', async () => {
    node.answers('eth_getTransactionReceipt', null);

    await expect(readerFor().succeeded('sandbox', HASH, [wordOf(1)])).rejects.toThrow('no such receipt');
  });
});

describe('Native balances', () => {
  const addresses = Array.from({ length: 1_200 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);

  it('are asked for at the block, a thousand in a batch, and told in the order of the addresses', async () => {
    node.answers('eth_getBalance', ({ params: [address] }: { params: string[] }) => hex(BigInt(address!) + 1n));

    const balances = await readerFor().balances('sandbox', HASH, addresses);

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
  ])('are told apart as gone where the node says "%s"', async (message) => {
    node.answers('eth_getBalance', () => {
      throw new Refusal(-32_000, message);
    });
    const { reader, pool } = nodeLayer(settingsFor(url));

    await expect(reader.balances('sandbox', HASH, [TO, FROM])).rejects.toBeInstanceOf(StateUnavailable);
    expect(pool.snapshot()[0]?.state).toBe('well');
  });

  it('are merely not answered where the node refuses for another reason', async () => {
    node.answers('eth_getBalance', () => {
      throw new Refusal(-32_000, 'header not found');
    });

    const error = await readerFor()
      .balances('sandbox', HASH, [TO])
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ChainUnavailable);
    expect(error).not.toBeInstanceOf(StateUnavailable);
  });

  it.each([['0x'], [null], [12], ['0xzz']])('are not believed as %j', async (balance) => {
    node.answers('eth_getBalance', balance);

    await expect(readerFor().balances('sandbox', HASH, [TO])).rejects.toBeInstanceOf(ChainUnavailable);
  });
});
