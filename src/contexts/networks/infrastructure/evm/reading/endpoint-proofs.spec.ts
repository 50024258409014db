import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable, StateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { nodeLayer } from '#contexts/networks/testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import {
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  hex,
  transfer,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { Refusal, type RpcRequest, StubNode } from '#contexts/networks/testing/stub-node.js';
import type { RpcChainReader } from './rpc-chain-reader.js';

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const readerFor = (changes: object = {}): RpcChainReader => nodeLayer(settingsFor(url, changes)).reader;

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

    await expect(readerFor().succeeded('sandbox', HASH, [wordOf(1)])).rejects.toBeInstanceOf(
      ChainUnavailable,
    );
  });

  it('is not told without a receipt', async () => {
    node.answers('eth_getTransactionReceipt', null);

    await expect(readerFor().succeeded('sandbox', HASH, [wordOf(1)])).rejects.toThrow('no such receipt');
  });
});

describe('A transfer without a receipt', () => {
  const holds = () => readerFor().holds('sandbox', HASH, [transfer()]);
  const listed = (answer: unknown) => {
    node.answers('eth_getTransactionReceipt', null);
    node.answers('eth_getBlockByHash', answer);
  };

  it("is not there where the block's own list lacks its transaction", async () => {
    listed(block({ transactions: [wordOf(1), wordOf(2)] }));

    expect(await holds()).toEqual([false]);
    expect(node.askedFor('eth_getBlockByHash')[0]?.params).toEqual([HASH, false]);
  });

  it.each([
    ['the list has it: the receipt is yet to come', block({ transactions: [wordOf(1), OTHER_HASH] })],
    ['the list has it in capitals', block({ transactions: [`0x${OTHER_HASH.slice(2).toUpperCase()}`] })],
    ['the node does not know the block', null],
    ['another block was returned', block({ hash: OTHER_HASH })],
    ['the block came without its list', block({ transactions: undefined })],
    ['the list is not of hashes', block({ transactions: [{}] })],
  ])('is not taken for absent where %s', async (_, answer) => {
    listed(answer);

    await expect(holds()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('makes an endpoint whose receipts are behind give way to another', async () => {
    listed(block({ transactions: [OTHER_HASH] }));
    const { reader, pool } = nodeLayer(settingsFor(url));

    await expect(reader.holds('sandbox', HASH, [transfer()])).rejects.toThrow(
      'it does not return the receipt of a transaction in a block that it returned',
    );
    expect(pool.snapshot()[0]?.state).toBe('backing_off');
  });
});

describe('Native balances', () => {
  const addresses = Array.from({ length: 1_200 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);

  it('are asked for at the block, a thousand in a batch, and told in the order of the addresses', async () => {
    node.answers('eth_getBalance', ({ params: [address] }: { params: string[] }) =>
      hex(BigInt(address!) + 1n),
    );

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
    'BlockOutOfRangeError: block height is 122 but requested was 42',
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

describe('Balances of a token', () => {
  it('are asked of the contract at the block', async () => {
    node.answers('eth_call', `0x${'00'.repeat(31)}2a`);

    expect(await readerFor().tokenBalances('sandbox', HASH, TO, [FROM])).toEqual([42n]);
    const data = `0x70a08231${FROM.slice(2).toLowerCase().padStart(64, '0')}`;
    expect(node.asked[0]?.params).toEqual([{ to: TO, data, gas: '0x1e8480' }, { blockHash: HASH }]);
  });

  it('are told apart as gone where the state is pruned', async () => {
    node.answers('eth_call', () => {
      throw new Refusal(-32_000, 'missing trie node 7f…a1 (path )');
    });

    const asked = readerFor().tokenBalances('sandbox', HASH, TO, [FROM]);
    await expect(asked).rejects.toBeInstanceOf(StateUnavailable);
  });

  it.each([[null], [12], ['0xzz']])('are not believed as %j', async (balance) => {
    node.answers('eth_call', balance);

    const asked = readerFor().tokenBalances('sandbox', HASH, TO, [FROM]);
    await expect(asked).rejects.toBeInstanceOf(ChainUnavailable);
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
  ])(
    'are null for the address of which the contract %s, by an endpoint that stays well',
    async (_, failing) => {
      const bad = (params: unknown[]) => (params[0] as { data: string }).data.endsWith(TO.slice(2));
      node.answers('eth_call', ({ params }: { params: unknown[] }) =>
        bad(params) ? failing() : `0x${'00'.repeat(31)}2a`,
      );
      const { reader, pool } = nodeLayer(settingsFor(url));

      expect(await reader.tokenBalances('sandbox', HASH, TO, [FROM, TO, FROM])).toEqual([42n, null, 42n]);
      expect(pool.snapshot()[0]).toMatchObject({ state: 'well', use: 'reading' });
    },
  );

  it('are not answered, and the endpoint has failed, where it is the node that refuses', async () => {
    node.answers('eth_call', reverts(-32_000, 'header not found'));
    const { reader, pool } = nodeLayer(settingsFor(url));

    await expect(reader.tokenBalances('sandbox', HASH, TO, [FROM])).rejects.toBeInstanceOf(ChainUnavailable);
    expect(pool.snapshot()[0]?.state).toBe('backing_off');
  });
});
