import { afterEach, describe, expect, it } from '@jest/globals';
import { BitcoinChain } from '../testing/bitcoin-chain.js';
import { bitcoinLayer } from '../testing/bitcoin-layer.js';
import {
  BEGIN,
  ELSEWHERE,
  FOREIGN,
  OWN,
  followedAlone,
  spentBy,
  startNode,
  stopNodes,
} from '../testing/followed-mempools.js';
import { describePendingTransfers } from '#contexts/networks/testing/pending-suite.js';

afterEach(async () => {
  await stopNodes();
});

describe.each(['core', 'btcd'] as const)(
  'Bitcoin with pending transfers on a node of the program %s',
  (program) => {
    describePendingTransfers(`bitcoin (${program})`, async () => {
      const chain = BitcoinChain.begun(BEGIN);
      const { url } = await startNode(chain, program);
      const { reader, pending } = bitcoinLayer([url]);
      return {
        ...{ reader, pending, own: OWN.address, foreign: FOREIGN.address },
        pay: async (to, replaced) => {
          const { script } = [OWN, FOREIGN].find(({ address }) => address === to)!;
          const terms = replaced === undefined ? {} : { spends: spentBy(replaced), fee: 5_000n };
          chain.pay([{ script, amount: 9_000n }], terms);
        },
        mine: async () => void chain.mine(),
      };
    });
  },
);

describe('A pending transfer of Bitcoin', () => {
  it('keeps waiting after it was evicted, alone or with its parent', async () => {
    const { look, seen, chain, fateOf } = await followedAlone();
    const plain = await seen();
    const parent = chain.pay(ELSEWHERE);
    const child = await seen({ spends: [{ txid: parent.txid, vout: 1 }] });
    chain.mempool.evict(plain.transactionHash);
    chain.mempool.evict(parent.txid);

    expect((await look()).has(child.transactionHash)).toBe(false);
    expect([await fateOf(plain), await fateOf(child)]).toEqual(['waits', 'waits']);
  });

  it('keeps waiting when a block includes it, even if its outputs are spent', async () => {
    const { seen, chain, fateOf } = await followedAlone();
    const first = await seen();
    chain.pay(ELSEWHERE, { spends: [{ txid: first.transactionHash, vout: 0 }], fee: 0n });
    chain.mine();

    expect(await fateOf(first)).toBe('waits');
  });

  it('is replaced when a block spends its coin, and waits again after a reorganization', async () => {
    const { seen, chain, fateOf } = await followedAlone();
    const first = await seen();
    const rival = chain.payment(ELSEWHERE, { spends: spentBy(first) });
    chain.mine([rival]);
    expect(await fateOf(first)).toBe('replaced');

    chain.reorganize(1);
    chain.mempool.evict(rival.txid);
    expect(await fateOf(first)).toBe('waits');
  });

  it('keeps waiting while the node holds it', async () => {
    const { seen, node, fateOf } = await followedAlone();
    const first = await seen();
    node.faults.missing = new Set(['gettxspendingprevout']);
    node.faults.lies = { gettxout: () => null };

    expect(await fateOf(first)).toBe('waits');
  });

  it('keeps waiting if the node has no index of transactions', async () => {
    const { seen, chain, node, fateOf } = await followedAlone();
    const first = await seen();
    node.faults.withoutTransactionIndex = true;
    chain.mine([chain.payment(ELSEWHERE, { spends: spentBy(first) })]);

    expect(await fateOf(first)).toBe('waits');
  });

  it('conflicts with another that spends one of the outputs that it spends', async () => {
    const { seen, pending } = await followedAlone();
    const [first, other] = [await seen(), await seen()];
    const both = await seen({ spends: [...spentBy(first), ...spentBy(other)], fee: 5_000n });

    expect(pending.areConflicting(first.evidence, both.evidence)).toBe(true);
    expect(pending.areConflicting(both.evidence, other.evidence)).toBe(true);
  });
});
