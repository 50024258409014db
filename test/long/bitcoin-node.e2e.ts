import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
  recipient,
} from '#contexts/networks/testing/bitcoin/bitcoin-layer.js';
import { describePendingTransfers } from '#contexts/networks/testing/pending-suite.js';
import { describeOnBtcd, TestBtcd } from '#test/support/btcd.js';
import { PayerWallet, type SentTransaction } from '#sandbox/bitcoin/payer-wallet.js';
import type { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { WitnessKey } from '#sandbox/bitcoin/witness-key.js';

const OWN = recipient('01');
const FOREIGN = recipient('02');
const LIMIT = 100;

describeOnBtcd('The Bitcoin node of the sandbox', () => {
  let node: TestBtcd;
  let bitcoin: SandboxBitcoin;
  const payee = new WitnessKey('0x' + '11'.repeat(32));
  const some = (amount: bigint) => [{ script: payee.script, amount }];

  beforeAll(async () => {
    node = await TestBtcd.start();
    bitcoin = node.bitcoin;
  });
  afterAll(() => node?.end());

  /** Ids of the transactions in the mempool. */
  const pool = () => bitcoin.rpc.call<string[]>('getrawmempool', false);
  const blockOf = async (txid: string) =>
    (await bitcoin.rpc.call<{ blockhash?: string }>('getrawtransaction', txid, 1)).blockhash;

  beforeEach(async () => {
    await bitcoin.miner.mine({ take: 'all' });
    expect(await pool()).toEqual([]);
  });

  it('starts with the coins of the wallet and the current time', async () => {
    const { hash } = await bitcoin.miner.tip();

    expect(await bitcoin.wallet.balance()).toBe(149n * 5_000_000_000n);
    const behind = Date.now() / 1_000 - (await bitcoin.miner.medianTime(hash));
    expect(behind).toBeGreaterThan(-60);
    expect(behind).toBeLessThan(120);
  });

  it('mines transactions that pay enough in the next block, and cheaper ones an hour later', async () => {
    const paying = await bitcoin.wallet.send(some(10_000n));
    const cheap = await bitcoin.wallet.send(some(20_000n), { feeRate: 1 });

    const [block] = await bitcoin.miner.mine();

    expect(block!.transactions).toEqual([paying.txid]);
    expect(await pool()).toEqual([cheap.txid]);
    const later = await bitcoin.advanceTo(new Date(Date.now() + 3_700_000));
    expect(later[0]!.transactions).toEqual([cheap.txid]);
    const { hash } = await bitcoin.miner.tip();
    expect(await bitcoin.miner.medianTime(hash)).toBeGreaterThanOrEqual(
      Math.floor(Date.now() / 1_000) + 3_600,
    );
  });

  it('replaces a payment only by a payment of the same coins', async () => {
    const first = await bitcoin.wallet.send(some(10_000n), { feeRate: 1 });
    const other = await bitcoin.wallet.send(some(12_000n), { feeRate: 1 });
    const second = await bitcoin.wallet.send([{ script: bitcoin.wallet.key.script, amount: 10_000n }], {
      inPlaceOf: first,
    });

    expect((await pool()).sort()).toEqual([other.txid, second.txid].sort());
    expect(await bitcoin.wallet.isHeld(first.txid)).toBe(false);
  });

  it('does not spend a coin of a pending payment again', async () => {
    const wallet = new PayerWallet(bitcoin.rpc, new WitnessKey('0x' + '22'.repeat(32)));
    await bitcoin.wallet.send([{ script: wallet.key.script, amount: 100_000n }]);
    await bitcoin.miner.mine();
    const { txid } = await wallet.send(some(10_000n));

    await expect(wallet.send(some(10_000n))).rejects.toThrow('holds only 0 satoshi that can be spent');
    expect(await pool()).toEqual([txid]);
    await bitcoin.miner.mine();
    await wallet.send(some(10_000n));
  });

  it.each([1, 3])('replaces the newest %i blocks, with or without their transactions', async (depth) => {
    const sent = [];
    for (let i = 0; i < depth; i += 1) {
      sent.push((await bitcoin.wallet.send(some(10_000n + BigInt(i)))).txid);
      await bitcoin.miner.mine();
    }
    const { height } = await bitcoin.miner.tip();
    const hashes = await Promise.all(sent.map(blockOf));

    const kept = await bitcoin.reorganise(depth, true);

    expect(kept).toEqual({ changed: hashes.map((_, i) => height - depth + 1 + i), dropped: [] });
    const moved = await Promise.all(sent.map(blockOf));
    expect(moved.every((hash, i) => hash !== undefined && hash !== hashes[i])).toBe(true);
    expect((await bitcoin.miner.tip()).height).toBe(height + 1);

    const { dropped } = await bitcoin.reorganise(depth + 1, false);
    expect([...dropped].sort()).toEqual([...sent].sort());
    expect((await pool()).sort()).toEqual([...sent].sort());
  });

  it('forgets only its mempool when it is restarted', async () => {
    const mined = await bitcoin.wallet.send(some(10_000n));
    await bitcoin.miner.mine();
    const waiting = await bitcoin.wallet.send(some(11_000n));

    await node.restart();

    expect(await pool()).toEqual([]);
    expect(await blockOf(mined.txid)).toBeDefined();
    expect(await bitcoin.wallet.isHeld(waiting.txid)).toBe(false);
  });

  const payUs = () => bitcoin.wallet.send([{ script: OWN.script, amount: 9_000n }]);

  /** An empty mempool, which was not read yet. */
  async function opened() {
    await bitcoin.miner.mine({ take: 'all' });
    const { pending, reader } = bitcoinLayer([node.url]);
    const look = () => pending.look(NETWORK, ownOf([OWN.address]), LIMIT);
    const pay = async () => {
      const sent = await payUs();
      const [seen] = (await look()).transfers;
      return { sent, seen: seen! };
    };
    return { pending, reader, look, pay };
  }

  describePendingTransfers('bitcoin', async () => {
    const { pending, reader } = await opened();
    const sent = new Map<string, SentTransaction>();
    return {
      ...{ network: NETWORK, reader, pending, own: OWN.address, foreign: FOREIGN.address },
      pay: async (to, replaced) => {
        const { script } = [OWN, FOREIGN].find(({ address }) => address === to)!;
        const inPlaceOf = replaced && sent.get(replaced.transactionHash)!;
        const transaction = await bitcoin.wallet.send(
          [{ script, amount: 9_000n }],
          inPlaceOf === undefined ? {} : { inPlaceOf },
        );
        sent.set(transaction.txid, transaction);
      },
      mine: async () => void (await bitcoin.miner.mine({ take: 'all' })),
    };
  });

  it('reports a pending transfer as replaced if a block spends its coin', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    const rival = bitcoin.wallet.key.spend(sent.coins, [{ script: FOREIGN.script, amount: 1_000n }]);
    await bitcoin.miner.mine({ take: [rival] });

    expect((await look()).has(sent.txid)).toBe(false);
    expect(await pending.fates(NETWORK, [seen])).toEqual(['replaced']);
  });

  it('reports a transfer again if its block is replaced', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await bitcoin.miner.mine({ take: 'all' });
    await look();
    expect(await pending.fates(NETWORK, [seen])).toEqual(['waits']);
    await bitcoin.reorganise(1, false);

    expect((await look()).transfers.map(({ transactionHash }) => transactionHash)).toEqual([sent.txid]);
  });

  it('keeps a pending transfer that the node has forgotten, and measures how long it was held', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await node.restart();

    expect(seen.heldForMs).toBeGreaterThanOrEqual(0);
    expect(seen.heldForMs).toBeLessThan(600_000);
    expect((await look()).has(sent.txid)).toBe(false);
    expect(await pending.fates(NETWORK, [seen])).toEqual(['waits']);
  });
});
