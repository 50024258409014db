import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
  recipient,
} from '#contexts/networks/testing/bitcoin/bitcoin-layer.js';
import { describePendingTransfers } from '#contexts/networks/testing/pending-suite.js';
import type { SentTransaction } from '#sandbox/bitcoin/payer-wallet.js';
import type { SandboxBitcoin } from '#sandbox/bitcoin/sandbox-bitcoin.js';
import { describeOnBtcd, TestBtcd } from '#test/support/btcd.js';

const OWN = recipient('01');
const FOREIGN = recipient('02');
const LIMIT = 100;

describeOnBtcd('On btcd itself', () => {
  let node: TestBtcd;
  let bitcoin: SandboxBitcoin;
  beforeAll(async () => {
    node = await TestBtcd.start();
    bitcoin = node.bitcoin;
  });
  afterAll(() => node?.end());

  const payUs = () => bitcoin.wallet.send([{ script: OWN.script, amount: 9_000n }]);

  /** Nothing waits, and nothing has been looked at. */
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

  it('a transfer whose coin a block spends otherwise is replaced', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    const rival = bitcoin.wallet.key.spend(sent.coins, [{ script: FOREIGN.script, amount: 1_000n }]);
    await bitcoin.miner.mine({ take: [rival] });

    expect((await look()).has(sent.txid)).toBe(false);
    expect(await pending.fates(NETWORK, [seen])).toEqual(['replaced']);
  });

  it('a transfer in a block waits, and is new once that block is replaced', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await bitcoin.miner.mine({ take: 'all' });
    await look();
    expect(await pending.fates(NETWORK, [seen])).toEqual(['waits']);
    await bitcoin.reorganise(1, false);

    expect((await look()).transfers.map(({ transactionHash }) => transactionHash)).toEqual([sent.txid]);
  });

  it('a transfer that the node has forgotten waits, and says how long it was held', async () => {
    const { pending, look, pay } = await opened();
    const { sent, seen } = await pay();
    await node.restart();

    expect(seen.heldForMs).toBeGreaterThanOrEqual(0);
    expect(seen.heldForMs).toBeLessThan(600_000);
    expect((await look()).has(sent.txid)).toBe(false);
    expect(await pending.fates(NETWORK, [seen])).toEqual(['waits']);
  });
});
