import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
  recipient,
} from '#chains/bitcoin/testing/bitcoin-layer.js';
import { describePendingTransfers } from '#contexts/networks/testing/pending-suite.js';
import { describeOnBtcd, TestBtcd } from './btcd.js';
import { BitcoinPayerWallet, type SentTransaction } from '#sandbox/bitcoin/payer-wallet.js';
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

  const pool = () => bitcoin.rpc.call<string[]>('getrawmempool', false);
  it('does not spend a coin of a pending payment again', async () => {
    const wallet = new BitcoinPayerWallet(bitcoin.rpc, new WitnessKey('0x' + '22'.repeat(32)));
    await bitcoin.wallet.send([{ script: wallet.key.script, amount: 100_000n }]);
    await bitcoin.miner.mine();
    const { txid } = await wallet.send(some(10_000n));

    await expect(wallet.send(some(10_000n))).rejects.toThrow('holds only 0 satoshi that can be spent');
    expect(await pool()).toEqual([txid]);
    await bitcoin.miner.mine();
    await wallet.send(some(10_000n));
  });

  const payUs = () => bitcoin.wallet.send([{ script: OWN.script, amount: 9_000n }]);

  async function opened() {
    await bitcoin.miner.mine({ take: 'all' });
    const { pending, reader } = bitcoinLayer([node.url]);
    const look = () => pending.pollMempools(ownOf([OWN.address]), LIMIT);
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
    expect(await pending.statuses([seen])).toEqual(['replaced']);
  });

  it('reports a transfer again if its block is replaced', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await bitcoin.miner.mine({ take: 'all' });
    await look();
    expect(await pending.statuses([seen])).toEqual(['waits']);
    await bitcoin.reorganize(1, false);

    expect((await look()).transfers.map(({ transactionHash }) => transactionHash)).toEqual([sent.txid]);
  });

  it('keeps a pending transfer that the node has forgotten, and measures how long it was held', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await node.restart();

    expect(seen.heldForMs).toBeGreaterThanOrEqual(0);
    expect(seen.heldForMs).toBeLessThan(600_000);
    expect((await look()).has(sent.txid)).toBe(false);
    expect(await pending.statuses([seen])).toEqual(['waits']);
  });
});
