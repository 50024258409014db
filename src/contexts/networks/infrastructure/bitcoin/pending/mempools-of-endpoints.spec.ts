import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BitcoinChain } from '#contexts/networks/testing/bitcoin/bitcoin-chain.js';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
} from '#contexts/networks/testing/bitcoin/bitcoin-layer.js';
import {
  BEGIN,
  ELSEWHERE,
  LIMIT,
  OWN,
  TO_US,
  beside,
  followed,
  followedAlone,
  startNode,
  stopNode,
  stopNodes,
} from '#contexts/networks/testing/bitcoin/followed-mempools.js';
import { passes } from '#contexts/networks/testing/several-nodes.js';
import { waitOnlyUntilAsked } from '#contexts/networks/testing/stub-node.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopNodes();
});

describe('The mempools of two endpoints', () => {
  it('show together what either holds, and once what both hold', async () => {
    const [one, other] = [BitcoinChain.begun(BEGIN)].flatMap((chain) => [chain, beside(chain)]) as [
      BitcoinChain,
      BitcoinChain,
    ];
    const { look } = await followed(one, other);
    const [both, first] = [one.pay(TO_US), one.pay(TO_US)];
    const second = one.payment(TO_US);
    other.send(both);
    other.send(second);
    const looked = await look();

    expect(looked.isWhole).toBe(true);
    expect(looked.transfers.map(({ transactionHash }) => transactionHash).toSorted()).toEqual(
      [both, first, second].map(({ txid }) => txid).toSorted(),
    );
  });

  it('hold a transfer until both have dropped it, and its replacement in one of them is enough', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = beside(one);
    const { look, pending } = await followed(one, other);
    const paid = one.pay(TO_US);
    other.send(paid);
    const [seen] = (await look()).transfers;
    one.pay(ELSEWHERE, { spends: paid.inputs, fee: 5_000n });
    expect((await look()).has(paid.txid)).toBe(true);
    other.mempool.evict(paid.txid);

    expect((await look()).has(paid.txid)).toBe(false);
    expect(await pending.fates(NETWORK, [seen!])).toEqual(['replaced']);
  });

  it('show what one holds while the other fails, and absence then means nothing until that one is away', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = beside(one);
    const {
      look,
      nodes: [, silent],
    } = await followed(one, other);
    other.send(one.payment(TO_US));
    const [known] = (await look()).transfers;
    await stopNode(silent!);
    const { txid } = one.pay(TO_US);
    const looked = await look();

    expect(looked.transfers.map(({ transactionHash }) => transactionHash)).toEqual([txid]);
    expect(looked.isWhole).toBe(false);
    expect(looked.has(known!.transactionHash)).toBe(true);

    passes(3_001);
    const later = await look();
    expect([later.isWhole, later.has(known!.transactionHash), later.has(txid)]).toEqual([true, false, true]);
  });

  it('are through without what an endpoint holds that is away', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = beside(one);
    const {
      look,
      nodes: [, silent],
    } = await followed(one, other);
    other.send(one.payment(TO_US));
    expect((await look(0)).hasMore).toBe(true);
    await stopNode(silent!);
    const failed = await look();
    passes(3_001);
    const later = await look();

    expect([failed.isWhole, failed.hasMore]).toEqual([false, true]);
    expect([later.isWhole, later.hasMore]).toEqual([true, false]);
  });

  it('are not whole while one fails that has something to show, between two lists too', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = beside(one);
    const [first, second] = [await startNode(one), await startNode(other)];
    const urls = [first.url, second.url];
    const layer = bitcoinLayer(urls, { mempoolPollSeconds: 60 }, { backOffMs: [60_000, 60_000] });
    other.send(one.payment(TO_US));
    const look = (limit: number) => layer.pending.look(NETWORK, ownOf([OWN.address]), limit);
    await look(0);
    await stopNode(second.node);
    const looks = [await look(LIMIT), await look(LIMIT)];

    expect(looks.map(({ isWhole }) => isWhole)).toEqual([false, false]);
  });

  it('are unavailable only where neither answers', async () => {
    const { look, pending } = await followed(BitcoinChain.begun(BEGIN), BitcoinChain.begun(BEGIN));
    await stopNodes();
    const gone = { transactionHash: 'ab'.repeat(32), evidence: { spends: [`${'cd'.repeat(32)}:0`] } };

    await expect(look()).rejects.toThrow('bitcoin did not answer');
    await expect(pending.fates(NETWORK, [gone])).rejects.toThrow('bitcoin did not answer');
  });
});

it('The mempool of an endpoint that stays silent is waited for no longer than any other answer', async () => {
  const { chain, node, look } = await followedAlone();
  node.isSilent = true;
  waitOnlyUntilAsked(node.posts);
  await expect(look()).rejects.toThrow('no complete answer in time');
  jest.restoreAllMocks();
  passes(1_000);
  node.isSilent = false;
  chain.pay(TO_US);

  expect((await look()).transfers).toHaveLength(1);
});

describe('A lying node', () => {
  const digits = (hex: string) => hex.replace(/..$/, (byte) => (byte === '00' ? '01' : '00'));

  it('invents no transfer: bytes that are not those of the id are refused, and what came with them counts', async () => {
    const { chain, node, look } = await followedAlone();
    const [invented, honest] = [chain.pay(TO_US), chain.pay(TO_US)];
    node.faults.lies = {
      getrawtransaction: (hex: string, [txid]) => (txid === invented.txid ? digits(hex) : hex),
    };
    const looked = await look();

    expect(looked.transfers.map(({ transactionHash }) => transactionHash)).toEqual([honest.txid]);
    expect(looked.isWhole).toBe(false);
  });

  it('does not keep a transfer of another endpoint from being seen', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = beside(one);
    const {
      look,
      nodes: [liar],
    } = await followed(one, other);
    const { txid } = one.pay(TO_US);
    const transaction = one.mempool.entries.get(txid)!.transaction;
    liar!.faults.lies = { getrawtransaction: digits };
    expect((await look()).transfers).toEqual([]);
    other.send(transaction);

    expect((await look()).transfers).toHaveLength(1);
  });

  it('does not keep new transfers waiting with ids of nothing', async () => {
    const { chain, node, look } = await followedAlone();
    const invented = Array.from({ length: 50 }, (_, i) => `${i}`.padStart(64, 'f'));
    node.faults.lies = { getrawmempool: (ids: string[]) => [...invented, ...ids] };
    for (let i = 0; i < 3; i += 1) await look(20);
    chain.pay(TO_US);
    const looked = await look(20);

    expect(looked.transfers).toHaveLength(1);
    expect(looked.hasMore).toBe(false);
  });
});

it('A look that may examine nothing leaves all of it to the next one', async () => {
  const { chain, look } = await followedAlone();
  chain.pay(TO_US);
  const none = await look(0);

  expect([none.transfers.length, none.hasMore]).toEqual([0, true]);
  expect((await look()).transfers).toHaveLength(1);
});

describe('A look that fails', () => {
  it('keeps what it has found for the next one', async () => {
    const { chain, pending, look } = await followedAlone();
    chain.pay(TO_US);
    const fails = () => Promise.reject(new Error('The database is away.'));

    await expect(pending.look(NETWORK, fails, LIMIT)).rejects.toThrow('The database is away.');
    expect((await look()).transfers).toHaveLength(1);
  });
});

it('A transaction is replaced by one that waits only once a look has shown that one', async () => {
  const chain = BitcoinChain.begun(BEGIN);
  const { url } = await startNode(chain);
  const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
  const look = () => pending.look(NETWORK, ownOf([OWN.address]), LIMIT);
  const paid = chain.pay(TO_US);
  const [seen] = (await look()).transfers;
  chain.pay(TO_US, { spends: paid.inputs, fee: 5_000n });
  const before = await pending.fates(NETWORK, [seen!]);
  passes(60_000);
  await look();

  expect([...before, ...(await pending.fates(NETWORK, [seen!]))]).toEqual(['waits', 'replaced']);
});

it('Mempools are asked for no more often than the setting says', async () => {
  const chain = BitcoinChain.begun(BEGIN);
  const { node, url } = await startNode(chain);
  const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
  const look = () => pending.look(NETWORK, ownOf([OWN.address]), 1);
  chain.pay(TO_US);
  chain.pay(TO_US);
  const looks = [await look(), await look(), await look()];

  expect(looks.map(({ transfers }) => transfers.length)).toEqual([1, 1, 0]);
  expect(node.askedFor('getrawmempool')).toHaveLength(1);
});

it('A look between two lists says how long ago its list was asked for', async () => {
  const { node, url } = await startNode(BitcoinChain.begun(BEGIN));
  const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
  // A whole number, whose sums are exact.
  let now = Math.ceil(performance.now());
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  node.faults.lies = { getrawmempool: (ids) => ((now += 2_000), ids) };
  const first = await pending.look(NETWORK, ownOf([OWN.address]), LIMIT);
  now += 5_000;
  const second = await pending.look(NETWORK, ownOf([OWN.address]), LIMIT);

  expect([first.ageMs, second.ageMs]).toEqual([2_000, 7_000]);
});
