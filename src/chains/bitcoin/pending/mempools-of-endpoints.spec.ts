import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BitcoinChain } from '../testing/bitcoin-chain.js';
import { BITCOIN_NETWORK as NETWORK, bitcoinLayer, ownOf } from '../testing/bitcoin-layer.js';
import {
  BEGIN,
  ELSEWHERE,
  LIMIT,
  OWN,
  TO_US,
  nodeWithSameBlocks,
  followMempools,
  followedAlone,
  startNode,
  stopNode,
  stopNodes,
} from '../testing/followed-mempools.js';
import { mempoolEntryCall } from '../rpc/transaction-calls.js';
import type { MempoolSnapshot } from '#contexts/networks/contract/pending-transfers.js';
import { advanceMonotonicClock } from '#contexts/networks/testing/stub-node.js';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopNodes();
});

describe('The joint mempool of two endpoints', () => {
  it('shows the transactions of both, each once', async () => {
    const [one, other] = [BitcoinChain.begun(BEGIN)].flatMap((chain) => [
      chain,
      nodeWithSameBlocks(chain),
    ]) as [BitcoinChain, BitcoinChain];
    const { look } = await followMempools(one, other);
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

  it('holds a transfer until both have dropped it, and finds a replacement in either', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = nodeWithSameBlocks(one);
    const { look, pending } = await followMempools(one, other);
    const paid = one.pay(TO_US);
    other.send(paid);
    const [seen] = (await look()).transfers;
    one.pay(ELSEWHERE, { spends: paid.inputs, fee: 5_000n });
    expect((await look()).has(paid.txid)).toBe(true);
    other.mempool.evict(paid.txid);

    expect((await look()).has(paid.txid)).toBe(false);
    expect(await pending.statuses([seen!])).toEqual(['replaced']);
  });

  it('shows one mempool while the other fails, and reports itself as incomplete', async () => {
    const one = BitcoinChain.begun(BEGIN);
    const other = nodeWithSameBlocks(one);
    const {
      look,
      nodes: [, silent],
    } = await followMempools(one, other);
    other.send(one.payment(TO_US));
    const [known] = (await look()).transfers;
    await stopNode(silent!);
    const { txid } = one.pay(TO_US);
    const looked = await look();

    expect(looked.transfers.map(({ transactionHash }) => transactionHash)).toEqual([txid]);
    expect(looked.isWhole).toBe(false);
    expect(looked.has(known!.transactionHash)).toBe(true);

    advanceMonotonicClock(3_001);
    const later = await look();
    expect([later.isWhole, later.has(known!.transactionHash), later.has(txid)]).toEqual([true, false, true]);
  });
});

let invented = 0;

/** Returns new ids of transactions that do not exist. */
function inventedIds(length: number): string[] {
  return Array.from({ length }, () => `${(invented += 1)}`.padStart(64, 'f'));
}

/** Starts two nodes with the same chain. Tests make the second one answer falsely. */
async function besideLiar() {
  const one = BitcoinChain.begun(BEGIN);
  const other = nodeWithSameBlocks(one);
  const { nodes, look, pool, rpc } = await followMempools(one, other);
  const comesBack = () => pool.asking(rpc.endpoints(NETWORK)[1]!, () => Promise.resolve());
  return { one, other, liar: nodes[1]!, look, comesBack };
}

describe('A lying node', () => {
  const digits = (hex: string) => hex.replace(/..$/, (byte) => (byte === '00' ? '01' : '00'));

  it('cannot invent a transfer: bytes that do not match the id are refused, and the others count', async () => {
    const { chain, node, look } = await followedAlone();
    const [invented, honest] = [chain.pay(TO_US), chain.pay(TO_US)];
    node.faults.lies = {
      getrawtransaction: (hex: string, [txid]) => (txid === invented.txid ? digits(hex) : hex),
    };
    const looked = await look();

    expect(looked.transfers.map(({ transactionHash }) => transactionHash)).toEqual([honest.txid]);
    expect(looked.isWhole).toBe(false);
  });

  it('is ignored if it lists thousands of new, unknown ids beside an honest node', async () => {
    const { one, liar, look, comesBack } = await besideLiar();
    const { txid } = one.pay(TO_US);
    liar.faults.lies = { getrawmempool: () => inventedIds(5_000) };
    const first = await look(1_000);
    const second = await look(1_000);

    expect(first.transfers.map(({ transactionHash }) => transactionHash)).toEqual([txid]);
    expect([first, second].map(({ isWhole, hasMore }) => [isWhole, hasMore])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(liar.askedFor('getrawmempool')).toHaveLength(1);

    delete liar.faults.lies;
    advanceMonotonicClock(600_001);
    await comesBack();
    await look();
    expect(liar.askedFor('getrawmempool')).toHaveLength(2);
  });

  it('is ignored after its mempool was too large for ten minutes, and not before', async () => {
    const { one, other, look } = await besideLiar();
    other.send(one.payment(ELSEWHERE));
    other.send(one.payment(ELSEWHERE));
    const looks = [await look(0)];
    looks.push(await look(1));
    other.send(one.payment(ELSEWHERE));
    advanceMonotonicClock(600_001);
    looks.push(await look(1));

    expect(looks.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
  });

  it('does not make a transfer look older if another endpoint is configured', async () => {
    const { one, other, liar, look } = await besideLiar();
    const ages = async () => (await look()).transfers.map(({ heldForMs }) => heldForMs);
    const tenHours = 36_000_000;
    liar.faults.lies = { getnettotals: (totals: object) => ({ ...totals, timemillis: BEGIN + tenHours }) };
    other.send(one.payment(TO_US));
    expect(await ages()).toEqual([null]);
    other.send(one.pay(TO_US));
    one.now += 60_000;

    expect(await ages()).toEqual([60_000]);
  });
});

describe('The fee of a pending transfer', () => {
  const FULL = { getmempoolinfo: (info: object) => ({ ...info, bytes: 6_000_001 }) };
  const feeOf = async (chain: BitcoinChain, look: () => Promise<MempoolSnapshot>, fee: bigint) => {
    const { txid } = chain.pay(TO_US, { fee });
    return (await look()).transfers.find(({ transactionHash }) => transactionHash === txid)!.paysEnough;
  };

  it.each(['core', 'btcd'] as const)(
    'is enough if the next blocks have room for all, or if the node estimates no more: %s',
    async (program) => {
      const chain = BitcoinChain.begun(BEGIN);
      const { node, url } = await startNode(chain, program);
      const { pending } = bitcoinLayer([url]);
      const look = () => pending.pollMempools(ownOf([OWN.address]), LIMIT);
      const size = BigInt(chain.payment(TO_US).bytes.length);
      const inRoom = [await feeOf(chain, look, size - 1n), await feeOf(chain, look, size)];
      // The node estimates a fee of two satoshis per virtual byte.
      node.faults.lies = FULL;
      const inCrowd = [await feeOf(chain, look, 2n * size - 1n), await feeOf(chain, look, 2n * size)];
      node.faults.missing = new Set(['estimatesmartfee', 'estimatefee']);

      expect([inRoom, inCrowd]).toEqual([
        [false, true],
        [false, true],
      ]);
      expect(await feeOf(chain, look, 600n)).toBe(false);
    },
  );

  it('is one satoshi per byte for every size, though nodes report fees in bitcoin', () => {
    const rates = Array.from({ length: 400 }, (_, n) => {
      const entry = { time: 1, depends: [], vsize: n + 1, fee: (n + 1) / 1e8 };
      return mempoolEntryCall('ab').read(entry)?.feeRate;
    });

    expect(new Set(rates)).toEqual(new Set([1_000]));
  });

  it('is not enough while one node with the transfer says so, and is shown again once none does', async () => {
    const { one, other, liar, look } = await besideLiar();
    liar.faults.lies = FULL;
    other.send(one.pay(TO_US, { fee: 300n }));

    const fees = async () => (await look()).transfers.map(({ paysEnough }) => paysEnough);
    expect([await fees(), await fees()]).toEqual([[false], []]);
    liar.faults.lies = {};
    expect([await fees(), await fees()]).toEqual([[true], []]);
  });
});

describe('The scan of mempools', () => {
  it('replaces a pending transaction only after it has shown the other one', async () => {
    const chain = BitcoinChain.begun(BEGIN);
    const { url } = await startNode(chain);
    const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
    const look = () => pending.pollMempools(ownOf([OWN.address]), LIMIT);
    const paid = chain.pay(TO_US);
    const [seen] = (await look()).transfers;
    chain.pay(TO_US, { spends: paid.inputs, fee: 5_000n });
    const before = await pending.statuses([seen!]);
    advanceMonotonicClock(60_000);
    await look();

    expect([...before, ...(await pending.statuses([seen!]))]).toEqual(['waits', 'replaced']);
  });

  it('requests mempools no more often than the setting allows', async () => {
    const chain = BitcoinChain.begun(BEGIN);
    const { node, url } = await startNode(chain);
    const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
    const look = () => pending.pollMempools(ownOf([OWN.address]), 1);
    chain.pay(TO_US);
    chain.pay(TO_US);
    const looks = [await look(), await look(), await look()];

    expect(looks.map(({ transfers }) => transfers.length)).toEqual([1, 1, 0]);
    expect(node.askedFor('getrawmempool')).toHaveLength(1);
  });

  it('reports the age of the list from the moment of its request', async () => {
    const { node, url } = await startNode(BitcoinChain.begun(BEGIN));
    const { pending } = bitcoinLayer([url], { mempoolPollSeconds: 60 });
    // A whole number, so that sums of times are exact.
    let now = Math.ceil(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    node.faults.lies = { getrawmempool: (ids) => ((now += 2_000), ids) };
    const first = await pending.pollMempools(ownOf([OWN.address]), LIMIT);
    now += 5_000;
    const second = await pending.pollMempools(ownOf([OWN.address]), LIMIT);

    expect([first.ageMs, second.ageMs]).toEqual([2_000, 7_000]);
  });
});
