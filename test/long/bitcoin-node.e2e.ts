import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeOnBtcd, TestBtcd } from '#test/support/btcd.js';
import { PayerWallet } from '#sandbox/bitcoin/payer-wallet.js';
import type { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { WitnessKey } from '#sandbox/bitcoin/witness-key.js';

describeOnBtcd('The sandbox’s Bitcoin', () => {
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

  it('begins with the wallet’s coins and a clock of the present', async () => {
    const { hash } = await bitcoin.miner.tip();

    expect(await bitcoin.wallet.balance()).toBe(149n * 5_000_000_000n);
    const behind = Date.now() / 1_000 - (await bitcoin.miner.medianTime(hash));
    expect(behind).toBeGreaterThan(-60);
    expect(behind).toBeLessThan(120);
  });

  it('pays into the mempool, and the next block takes what pays enough', async () => {
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

  it('replaces a payment by one that spends the same coins, and spends none twice otherwise', async () => {
    const first = await bitcoin.wallet.send(some(10_000n), { feeRate: 1 });
    const other = await bitcoin.wallet.send(some(12_000n), { feeRate: 1 });
    const second = await bitcoin.wallet.send([{ script: bitcoin.wallet.key.script, amount: 10_000n }], {
      inPlaceOf: first,
    });

    expect((await pool()).sort()).toEqual([other.txid, second.txid].sort());
    expect(await bitcoin.wallet.isHeld(first.txid)).toBe(false);
  });

  it('chooses no coin that a waiting payment spends: a wallet of one coin pays once before a block', async () => {
    const wallet = new PayerWallet(bitcoin.rpc, new WitnessKey('0x' + '22'.repeat(32)));
    await bitcoin.wallet.send([{ script: wallet.key.script, amount: 100_000n }]);
    await bitcoin.miner.mine();
    const { txid } = await wallet.send(some(10_000n));

    await expect(wallet.send(some(10_000n))).rejects.toThrow('holds only 0 satoshi that can be spent');
    expect(await pool()).toEqual([txid]);
    await bitcoin.miner.mine();
    await wallet.send(some(10_000n));
  });

  it.each([1, 3, 10])('replaces the newest %i blocks, with their transactions or without', async (depth) => {
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

  it('forgets its mempool when it is restarted, and nothing else', async () => {
    const mined = await bitcoin.wallet.send(some(10_000n));
    await bitcoin.miner.mine();
    const waiting = await bitcoin.wallet.send(some(11_000n));

    await node.restart();

    expect(await pool()).toEqual([]);
    expect(await blockOf(mined.txid)).toBeDefined();
    expect(await bitcoin.wallet.isHeld(waiting.txid)).toBe(false);
  });

  it('takes a transaction of many outputs', async () => {
    const outputs = Array.from({ length: 300 }, (_, i) => some(1_000n + BigInt(i))[0]!);

    const { txid } = await bitcoin.wallet.send(outputs);

    expect((await bitcoin.miner.mine())[0]!.transactions).toEqual([txid]);
  });
});
