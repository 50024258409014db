import { describe, expect, it } from '@jest/globals';
import { doubleSha256, hashBytes, merkleRoot, shownHash } from '#shared/bitcoin/wire-bytes.js';
import { BitcoinChain } from './bitcoin-chain.js';
import { Refused } from './bitcoin-mempool.js';

const BEGIN = Date.parse('2030-01-01T00:00:00Z');
const SCRIPT = `0014${'0c'.repeat(20)}`;
const TO_US = [{ script: SCRIPT, amount: 70_000n }];

describe('The in-process chain of Bitcoin', () => {
  it('begins with the block that regtest begins with', () => {
    const [{ hash, header }] = new BitcoinChain(BEGIN).blocks as [BitcoinChain['head']];

    expect(hash).toBe('0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206');
    expect(shownHash(doubleSha256(header))).toBe(hash);
  });

  it('has blocks whose headers name parent, transactions and stamp', () => {
    const chain = BitcoinChain.begun(BEGIN);
    chain.pay(TO_US);
    const parent = chain.head;
    const { header, transactions, stamp } = chain.mine();
    const root = merkleRoot(transactions.map(({ txid }) => hashBytes(txid)));

    expect(shownHash(header.subarray(4, 36))).toBe(parent.hash);
    expect(header.subarray(36, 68)).toEqual(root);
    expect([header.readUInt32LE(68), stamp]).toEqual([BEGIN / 1_000, BEGIN / 1_000]);
  });

  it('has a median time that never goes back, though stamps do', () => {
    const chain = BitcoinChain.begun(BEGIN);
    const before = chain.head.medianTime;
    const block = chain.mine(undefined, BEGIN - 1_800_000);

    expect(block.stamp).toBeLessThan(chain.blocks.at(-2)!.stamp);
    expect(block.medianTime).toBeGreaterThanOrEqual(before);
    expect(chain.mine(undefined, 0).stamp).toBe(block.medianTime + 1);
  });

  it('has a transaction wait again whose block another branch replaced, unless the branch spends the same', () => {
    const chain = BitcoinChain.begun(BEGIN);
    const [kept, spentElsewhere] = [chain.pay(TO_US), chain.pay(TO_US)];
    const other = chain.payment([{ script: SCRIPT, amount: 1n }], { spends: spentElsewhere.inputs });
    chain.mine();
    const [, second] = chain.reorganise(1, [[other]]);

    expect(chain.head).toBe(second);
    expect([...chain.mempool.entries.keys()]).toEqual([kept.txid]);
  });
});

describe('The in-process mempool', () => {
  const paid = () => {
    const chain = BitcoinChain.begun(BEGIN);
    const first = chain.pay(TO_US, { fee: 1_000n });
    return { chain, first, again: { spends: first.inputs } };
  };

  it('takes a replacement that pays as much, with all that spends of what it replaces', () => {
    const { chain, first, again } = paid();
    chain.pay(TO_US, { spends: [{ txid: first.txid, vout: 1 }], fee: 500n });

    expect(() => chain.pay(TO_US, { ...again, fee: 1_499n })).toThrow('insufficient fee');
    const { txid } = chain.pay(TO_US, { ...again, fee: 1_500n });
    expect([...chain.mempool.entries.keys()]).toEqual([txid]);
  });

  it('keeps one that does not signal that it may be replaced, and a coin that is spent', () => {
    const { chain } = paid();
    const { inputs } = chain.pay(TO_US, { signals: false });
    const rival = chain.payment(TO_US, { spends: inputs, fee: 9_000n });

    expect(() => chain.send(rival)).toThrow(new Refused('txn-mempool-conflict'));
    chain.mine();
    expect(() => chain.send(rival)).toThrow(new Refused('bad-txns-inputs-missingorspent'));
  });

  it('drops what a block of others spends, and what is evicted', () => {
    const { chain, first, again } = paid();
    const evicted = chain.pay(TO_US);
    const elsewhere = chain.payment([{ script: SCRIPT, amount: 1n }], again);
    chain.mempool.evict(evicted.txid);
    chain.mine([elsewhere]);

    expect(chain.mempool.entries.has(first.txid)).toBe(false);
    expect(chain.mempool.entries.size).toBe(0);
  });
});
