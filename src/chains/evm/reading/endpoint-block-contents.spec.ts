import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ChainReader,
  ChainUnavailable,
  type OwnAddressLookup,
} from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { bloomOf, inHex, valuesOf } from '../testing/flooded-chain.js';
import { nodeLayer } from '../testing/node-layer.js';
import {
  SAMPLE_TOKEN,
  nativeAsset,
  sampleAsset,
  settingsFor,
} from '#contexts/networks/testing/sample-configuration.js';
import {
  EMPTY_BLOOM,
  FROM,
  HASH,
  OTHER_HASH,
  TO,
  block,
  call,
  inTopic,
  log,
  settledLog,
  transaction,
  transfer,
  wordOf,
} from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { FORMER_FACTORIES, currentFactoryAddress } from '../../forwarders/forwarder-artifacts.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';

const OTHER_TOKEN = `0x${'44'.repeat(20)}`;
const FACTORY = `0x${'fa'.repeat(20)}`;
/** The factories of this release and of former releases. */
const FACTORIES = [currentFactoryAddress(), ...FORMER_FACTORIES].map((factory) => factory.toLowerCase());
const NATIVE = { assets: [sampleAsset(), nativeAsset()], factory: FACTORY };

const topicsTo = (address: string) => [TRANSFER_TOPIC, inTopic(FROM), inTopic(address)];

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

const readerFor = (changes: object = {}): ChainReader => nodeLayer(settingsFor(url, changes)).reader;

/** Reads the contents of block 16, which is far above the newest final block. */
async function contentsOf16(reader = readerFor()) {
  const [read] = await reader.blocks(16, 16, null);
  return read;
}

describe('The reader of transfers of a block near the head', () => {
  beforeEach(() => node.answers('eth_getBlockByNumber', block()));

  it('queries by block hash, only for configured tokens and factories', async () => {
    node.answers('eth_getLogs', [log()]);

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
    expect(node.askedFor('eth_getLogs').map(({ params }) => params)).toEqual([
      [
        {
          blockHash: HASH,
          address: [SAMPLE_TOKEN.toLowerCase(), ...FACTORIES],
          topics: [[TRANSFER_TOPIC, SETTLED_TOPIC]],
        },
      ],
    ]);
  });

  it('returns transfers in chain order, without zero amounts', async () => {
    const spelled = log({ logIndex: '0x9', address: SAMPLE_TOKEN });
    node.answers('eth_getLogs', [spelled, log({ logIndex: '0x8', data: wordOf(0) }), log()]);

    expect((await contentsOf16())?.transfers).toEqual([transfer(), transfer({ index: 9 })]);
  });

  it.each([
    ['of another block', { blockHash: OTHER_HASH }],
    ['of another height', { blockNumber: '0x11' }],
    ['that were removed', { removed: true }],
    ['of a contract that was not asked for', { address: TO }],
    ['of another event', { topics: [OTHER_HASH, inTopic(FROM), inTopic(TO)] }],
    ['with more topics than a log can have', { topics: [...log().topics, inTopic(TO), inTopic(TO)] }],
    ['with data cut off within a byte', { data: '0x123' }],
  ])('rejects logs that were not requested or are malformed: %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    await expect(contentsOf16()).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('counts a repeated log once', async () => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8' }), log()]);

    expect((await contentsOf16())?.transfers).toEqual([transfer(), transfer({ index: 8 })]);
  });

  describe('with logs that contradict one another', () => {
    const others = [log({ logIndex: '0x8' }), log({ logIndex: '0x8', topics: topicsTo(FROM) })];
    const ours: OwnAddressLookup = async (asked) =>
      new Set(asked.map(recipientKey).filter((key) => key === recipientKey({ address: TO })));
    const read = async () => (await readerFor().blocks(16, 16, null, ours))[0]?.transfers;

    it.each([
      ['of this service’s addresses', others],
      ['of which one was removed', [log({ logIndex: '0x8', removed: true })]],
    ])('reads receipts when contradictory logs are %s', async (_, contradicting) => {
      const bloom = inHex(bloomOf(valuesOf([log()])));
      node.answers('eth_getBlockByNumber', block({ logsBloom: bloom }));
      node.answers('eth_getLogs', [log(), ...contradicting]);
      const { transactionHash } = log();
      node.answers('eth_getBlockReceipts', [{ transactionHash, logs: [log(), log()] }]);

      expect(await read()).toEqual([transfer()]);
    });

    it.each([['of other amounts', { data: wordOf(1) }]])(
      'switches the endpoint when receipts contradict themselves too: %s',
      async (_, changes) => {
        const assets = [sampleAsset(), sampleAsset({ token: OTHER_TOKEN, symbol: 'OTH', name: 'Other' })];
        const both = [log(), log(changes)];
        const { transactionHash } = log();
        const honest = new StubNode();
        const second = await honest.start();
        for (const each of [node, honest])
          each.answers('eth_getBlockByNumber', block({ logsBloom: inHex(bloomOf(valuesOf(both))) }));
        node.answers('eth_getLogs', both);
        node.answers('eth_getBlockReceipts', [{ transactionHash, logs: both }]);
        honest.answers('eth_getLogs', [log()]);
        const { reader } = nodeLayer(settingsFor([url, second], { assets }));
        await reader.head();

        const reading = () => reader.blocks(16, 16, null, ours);
        await expect(reading()).rejects.toThrow('contradict one another');
        await reader.head();
        const [next] = await reading();
        await honest.stop();
        expect(next!.transfers).toEqual([transfer()]);
      },
    );
  });

  it.each([
    ['a third indexed argument, as ERC-721 has', { topics: [...log().topics, inTopic(TO)], data: '0x' }],
    ['a third indexed argument and an amount', { topics: [...log().topics, inTopic(TO)] }],
    ['a sender that is no address', { topics: [TRANSFER_TOPIC, OTHER_HASH, inTopic(TO)] }],
    ['a recipient that is no address', { topics: [TRANSFER_TOPIC, inTopic(FROM), OTHER_HASH] }],
    ['no amount', { data: '0x' }],
  ])('skips a log that has the topic of transfers but is none: with %s', async (_, changes) => {
    node.answers('eth_getLogs', [log(), log({ logIndex: '0x8', ...changes })]);

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
  });

  it('rejects an empty answer if the node no longer knows the block', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByHash', null);

    await expect(contentsOf16()).rejects.toThrow('the node has no such block');
  });

  it('accepts an empty answer if the bloom filter rules transfers out', async () => {
    node.answers('eth_getLogs', []);
    node.answers('eth_getBlockByNumber', block({ logsBloom: EMPTY_BLOOM }));

    expect(await contentsOf16()).toMatchObject({ transfers: [], payouts: [] });
    expect(node.asked).toHaveLength(2);
  });

  it('asks again if the bloom filter allows transfers', async () => {
    let asked = 0;
    node.answers('eth_getLogs', () => ((asked += 1) === 1 ? [] : [log()]));
    node.answers('eth_getBlockByHash', block());

    expect((await contentsOf16())?.transfers).toEqual([transfer()]);
  });
});

describe('A block of a network whose native coin is catalogued', () => {
  const full = (...transactions: object[]) =>
    node.answers('eth_getBlockByNumber', block({ transactions, logsBloom: EMPTY_BLOOM }));

  it('has its transactions read, and each value counted as a transfer', async () => {
    full(transaction(0), transaction(1, { value: '0x0' }), transaction(2, { to: null }), transaction(3));
    node.answers('eth_getLogs', []);

    expect((await contentsOf16(readerFor(NATIVE)))?.transfers).toEqual([call(0), call(3)]);
    expect(node.askedFor('eth_getBlockByNumber')[0]?.params).toEqual(['0x10', true]);
  });

  it('shows what factories of this and former releases paid out, only in catalogued assets', async () => {
    full();
    const paidInToken = settledLog(FACTORY, {}, SAMPLE_TOKEN.toLowerCase());
    const former = FACTORIES.at(-1)!;
    node.answers('eth_getLogs', [
      settledLog(FACTORY),
      settledLog(former, { logIndex: '0x8' }, SAMPLE_TOKEN.toLowerCase()),
      settledLog(FACTORY, { logIndex: '0x9' }, OTHER_TOKEN),
      settledLog(SAMPLE_TOKEN, { logIndex: '0xa' }),
      settledLog(FACTORY, { logIndex: '0xb', data: '0x' }),
      settledLog(FACTORY, { logIndex: '0x10', topics: [TRANSFER_TOPIC] }),
      settledLog(FACTORY, { logIndex: '0xc', topics: [SETTLED_TOPIC, inTopic(TO)] }),
      settledLog(FACTORY, { logIndex: '0xd', data: `${paidInToken.data}${'00'.repeat(32)}` }),
      settledLog(FACTORY, { logIndex: '0xe', data: paidInToken.data.replace('0x00', '0xff') }),
      settledLog(FACTORY, { logIndex: '0xf', data: paidInToken.data.replace(/(?<=^.{66})00/, 'ff') }),
    ]);

    const contents = await contentsOf16(readerFor(NATIVE));

    const paid = { transactionHash: OTHER_HASH, address: TO, toSettlement: 90n, toFee: 10n };
    expect(contents).toEqual({
      header: contents?.header,
      readBy: contents?.readBy,
      transfers: [],
      payouts: [
        { ...paid, logIndex: 7, from: FACTORY, token: 'ETH' },
        { ...paid, logIndex: 8, from: former, token: SAMPLE_TOKEN.toLowerCase() },
      ],
    });
    expect(node.askedFor('eth_getLogs')[0]?.params).toEqual([
      {
        blockHash: HASH,
        address: [SAMPLE_TOKEN.toLowerCase(), FACTORY, ...FACTORIES],
        topics: [[TRANSFER_TOPIC, SETTLED_TOPIC]],
      },
    ]);
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
