import {
  BEGIN,
  FOREIGN,
  OWN,
  startNode,
  stopNodes,
  TO_US,
  nodeWithSameBlocks,
} from '../testing/followed-mempools.js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type OwnAddressLookup, BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import { genesis, nodeTransaction } from '../testing/bitcoin-blocks.js';
import { BitcoinChain } from '../testing/bitcoin-chain.js';
import { BITCOIN_NETWORK as NETWORK, bitcoinLayer, ownOf } from '../testing/bitcoin-layer.js';
import { Refusal } from '#contexts/networks/testing/stub-node.js';
import { BITCOIN_CHAINS } from '../bitcoin-network.js';

const MINUTE_MS = 60_000;
const OURS = ownOf([OWN.address]);

afterEach(stopNodes);

async function world(changes: object = {}) {
  const chain = BitcoinChain.begun(BEGIN);
  const { node, url } = await startNode(chain);
  const mine = (minutes = 10) => {
    chain.now += minutes * MINUTE_MS;
    return chain.mine();
  };
  return { chain, node, mine, ...bitcoinLayer([url], changes) };
}

const pay = (chain: BitcoinChain, amount = 7_000n) => chain.pay([{ script: OWN.script, amount }]);

describe('The reader of a Bitcoin chain', () => {
  it('uses the median of eleven timestamps, which never goes back, for the time of a block', async () => {
    const { chain, mine, reader } = await world();
    const early = chain.mine([], chain.now - 20 * MINUTE_MS);
    const late = chain.mine([], chain.now + 90 * MINUTE_MS);
    mine();
    await reader.head();
    const blocks = await reader.blocks(5, 15, null, OURS);
    const times = blocks.map(({ header }) => header.time.getTime());

    expect(early.stamp).toBeLessThan(chain.blocks[12]!.stamp);
    expect(late.stamp).toBeGreaterThan(chain.blocks[15]!.stamp);
    expect(times).toEqual(chain.blocks.slice(5, 15).map(({ medianTime }) => medianTime * 1_000));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('reads at most ten blocks per call, and looks up owners once per block, also of 4 MB', async () => {
    const { chain, node, reader } = await world();
    const asked: Recipient[][] = [];
    const ours: OwnAddressLookup = (recipients) => {
      asked.push([...recipients]);
      return OURS(recipients);
    };
    const payment = chain.payment([
      ...Array.from({ length: 10_000 }, () => ({ script: OWN.script, amount: 600n })),
      { script: FOREIGN.script, amount: 600n },
      { script: '6a0401020304', amount: 0n },
    ]);
    const witness = [Buffer.alloc(3_600_000)];
    const large = nodeTransaction({
      ...payment,
      inputs: payment.inputs.map((each) => ({ ...each, witness })),
    });
    chain.now += 10 * MINUTE_MS;
    const { bytes, hash } = chain.mine([large]);
    const { head } = await reader.head();

    const blocks = await reader.blocks(3, head.number, null, ours);
    const rest = await reader.blocks(13, head.number, null, ours);

    expect(blocks.map(({ header }) => header.number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(bytes.length).toBeGreaterThan(3_900_000);
    expect(rest[0]!.transfers.map(({ index }) => index)).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
    expect(await reader.containsTransfers(hash, rest[0]!.transfers.slice(-1))).toEqual([true]);
    expect(node.askedFor('getblock')).toHaveLength(11);
    expect(asked).toHaveLength(11);
    // The service's address, another one, and the addresses that return change to the payer and the reward to the
    // miner.
    expect(new Set(asked[10]!.map(({ address }) => address)).size).toBe(asked[10]!.length);
    expect(asked[10]).toHaveLength(3);
  });

  it('follows the chain to another branch, and proves nothing by a block outside the chain', async () => {
    const { chain, mine, reader } = await world();
    const { txid } = pay(chain);
    mine();
    await reader.head();
    const [left] = await reader.blocks(13, 13, null, OURS);
    chain.reorganize(1);
    const { head } = await reader.head();
    const [block] = await reader.blocks(13, 13, null, OURS);

    expect(left!.transfers.map(({ transactionHash }) => transactionHash)).toEqual([txid]);
    expect(head.number).toBe(14);
    expect([block!.header.parentHash, block!.transfers]).toEqual([left!.header.parentHash, []]);
    expect(block!.header.hash).not.toBe(left!.header.hash);
    await expect(reader.containsTransfers(left!.header.hash, left!.transfers)).rejects.toThrow(
      'is not in the endpoint’s chain',
    );
  });

  it('has no balances, no blocks above the head, and no pruned blocks', async () => {
    const { chain, node, reader } = await world();
    const { hash } = chain.blocks[3]!;
    node.faults.prunedBelow = 5;

    expect(await reader.blockHeader(13)).toBeNull();
    expect(await reader.blocks(13, 20, null, OURS)).toEqual([]);
    await expect(reader.balances()).rejects.toBeInstanceOf(BlockStateUnavailable);
    await expect(reader.containsTransfers(hash, [])).rejects.toBeInstanceOf(BlockStateUnavailable);
    await expect(reader.blocks(3, 6, null, OURS)).rejects.toThrow('pruned');
  });

  it('says that the outputs of a coinbase, and of no other transaction, can be spent after 100 confirmations', async () => {
    const { chain, mine, reader, lookup } = await world();
    pay(chain);
    const [coinbase] = mine().transactions;
    await reader.head();
    const [block] = await reader.blocks(13, 13, null);
    const found = await lookup.find(coinbase!.txid);

    expect(block!.transfers.map(({ spendableAfter }) => spendableAfter)).toEqual([100, undefined, undefined]);
    expect(found).toMatchObject({ transfers: [{ spendableAfter: 100 }] });
  });
});

describe('A node that lies to the reader of a Bitcoin chain', () => {
  const spoilt = (hex: string) => `${hex.slice(0, -2)}${hex.endsWith('00') ? '01' : '00'}`;
  const otherBlock = genesis().bytes.toString('hex');

  it.each([
    ['another block for a hash', 'getblock', () => otherBlock, 'another block than requested'],
    ['a transaction that is not the block’s', 'getblock', spoilt, 'do not match the header'],
    ['more than a block', 'getblock', (hex: string) => `${hex}00`, 'bytes follow'],
    ['half a block', 'getblock', (hex: string) => hex.slice(0, 300), 'end too early'],
  ] as const)('is refused if it shows a wrong block: %s', async (_, method, lie, says) => {
    const { node, chain, mine, reader } = await world();
    pay(chain);
    mine();
    await reader.head();
    node.faults.lies = { [method]: lie as never };

    await expect(reader.blocks(13, 13, null, OURS)).rejects.toThrow(says);
  });

  it.each([
    [
      'no work',
      (hex: string) => `${hex.slice(0, 144)}ffff001d${hex.slice(152)}`,
      'the work of a block is missing',
    ],
  ])('is refused if it shows a wrong header: with %s', async (_, lie, says) => {
    const { node, reader } = await world();
    node.faults.lies = { getblockheader: lie as never };

    await expect(reader.head()).rejects.toThrow(says);
  });

  it('is refused if its blocks are easier than the chain allows', async () => {
    const main = BITCOIN_CHAINS.find(({ name }) => name === 'main')!;
    const { reader } = await world({ chainId: main.magic });

    await expect(reader.blockHeader(12)).rejects.toThrow('does not meet the required difficulty');
  });

  it.each([
    ['names', 'getblockhash', -8],
    ['shows', 'getblock', -5],
  ] as const)(
    'is left for another one if it lacks a block below its own head: it %s none',
    async (_, method, code) => {
      const chain = BitcoinChain.begun(BEGIN);
      const several = [await startNode(chain), await startNode(chain)];
      const refuse = () => {
        throw new Refusal(code, 'Block not found');
      };
      several[0]!.node.faults.lies = {
        [method]: (answer: never, [which]: readonly unknown[]) =>
          [12, chain.blocks[12]!.hash].includes(which as never) ? refuse() : answer,
      };
      const { reader, pool } = bitcoinLayer(
        several.map(({ url }) => url),
        {},
        { backOffMs: [60_000, 60_000] },
      );
      await reader.head();

      expect(await reader.blocks(12, 12, null, OURS)).toEqual([]);
      expect(pool.chooseReadingEndpoint(NETWORK).position).toBe(1);
      await reader.head();
      expect(await reader.blocks(12, 12, null, OURS)).toHaveLength(1);
    },
  );
});

describe('The price of a usual payment on a Bitcoin network', () => {
  it.each(['core', 'btcd'] as const)('follows the estimate of the node: %s', async (program) => {
    const { node, url } = await startNode(BitcoinChain.begun(BEGIN), program);
    const { pricing } = bitcoinLayer([url]);

    // The fee for 141 virtual bytes at 0.00002 BTC per thousand.
    expect(await pricing.estimate(NETWORK)).toMatchObject({ native: 282n, coin: { symbol: 'BTC' } });
    node.faults.missing = new Set(['estimatesmartfee', 'estimatefee']);
    expect(await pricing.estimate(NETWORK)).toBeNull();
  });
});

describe('The second endpoint of a Bitcoin chain', () => {
  async function two(changes: object = {}) {
    const chain = BitcoinChain.begun(BEGIN);
    const first = await startNode(chain);
    const other = nodeWithSameBlocks(chain);
    const second = await startNode(other);
    const layer = bitcoinLayer([first.url, second.url], changes);
    await layer.reader.head();
    return { chain, other, second: second.node, ...layer };
  }

  it('reads no block again that the reader has read, since its hash proves it', async () => {
    const { chain, other, second, reader, secondEndpoint } = await two();
    chain.pay(TO_US);
    chain.now += 10 * MINUTE_MS;
    other.accept(chain.mine());
    const { head } = await reader.head();
    const [block] = await reader.blocks(13, 13, null, OURS);

    const { last, contents } = await secondEndpoint.contentsOfBlockRange(13, 13, OURS);

    expect(secondEndpoint.isIndependent()).toBe(true);
    expect(last).toEqual(head);
    expect(contents).toEqual([{ number: 13, hash: head.hash, transfers: block!.transfers, payouts: [] }]);
    expect([second.askedFor('getblock').length, second.askedFor('getblockhash').length]).toEqual([0, 1]);
  });

  it('returns its newest block if it is behind on another branch', async () => {
    const { chain, other, secondEndpoint } = await two();
    other.now += MINUTE_MS;
    const own = other.mine([]);
    chain.now += 10 * MINUTE_MS;
    chain.mine();
    chain.mine();

    expect(await secondEndpoint.contentsOfBlockRange(14, 14, OURS)).toMatchObject({
      last: { number: 13, hash: own.hash },
      contents: [],
    });
  });

  it('fails if it is only behind', async () => {
    const { chain, secondEndpoint } = await two();
    chain.now += 10 * MINUTE_MS;
    chain.mine();

    await expect(secondEndpoint.contentsOfBlockRange(13, 13, OURS)).rejects.toThrow('does not know block 13');
  });
});
