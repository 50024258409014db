import { describe, expect, it } from '@jest/globals';
import { describeFamily } from './contract-suites.js';
import { OutputChain } from './output-chain.js';
import { OUTPUT_COIN, OUTPUT_NETWORK, OutputFamily } from './output-family.js';
import { describePendingTransfers } from './pending-suite.js';

const BEGIN = Date.parse('2030-01-01T00:00:00Z');
const OWN = `out1${'0a'.repeat(19)}`;
const FOREIGN = `out1${'0b'.repeat(19)}`;
const TERMS = { settlementAddress: 'wallet(MERCHANT)', feeRecipient: '', feeBasisPoints: 0 };

function begun(confirmations = 1) {
  const chain = new OutputChain(OUTPUT_COIN.token, BEGIN);
  const mine = () => {
    chain.now += 600_000;
    return chain.mine();
  };
  for (let i = 0; i < 12; i += 1) mine();
  return { chain, mine, family: new OutputFamily(chain, confirmations) };
}

describeFamily(
  'output',
  async () => {
    const { chain, mine, family } = begun(3);
    const transaction = chain.send([{ to: OWN, amount: 7n }]);
    const block = mine();
    for (let i = 0; i < 3; i += 1) mine();
    const { reader, secondEndpoint, lookup, depositAddresses, payoutAddresses } = family;
    return {
      ...{ reader, secondEndpoint, lookup, depositAddresses, payoutAddresses },
      network: OUTPUT_NETWORK,
      number: block.header.number,
      transfer: chain.transfersOf(transaction, block)[0]!,
      unknownBlock: 'ab'.repeat(32),
      unknownTransaction: 'cd'.repeat(32),
      terms: TERMS,
    };
  },
  true,
);

describePendingTransfers('output', async () => {
  const { chain, mine, family } = begun();
  return {
    network: OUTPUT_NETWORK,
    reader: family.reader,
    pending: family.pending,
    own: OWN,
    foreign: FOREIGN,
    pay: async (to, replaced) =>
      void chain.send([{ to, amount: 5n }], replaced?.evidence['spends'] as readonly string[] | undefined),
    mine: async () => void mine(),
  };
});

describe('A chain of outputs', () => {
  it('has times that never go back, though stamps do', () => {
    const { chain, mine } = begun();
    const stamped = chain.mine([], chain.now - 1_800_000);
    const times = [...chain.blocks, mine()].map(({ header }) => header.time.getTime());

    expect(stamped.stamp.getTime()).toBeLessThan(chain.blocks.at(-3)!.stamp.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('has what stood in blocks wait again after a reorganisation', () => {
    const { chain, mine } = begun();
    const { id } = chain.send([{ to: OWN, amount: 5n }]);
    const { header } = mine();

    const [gone] = chain.reorganise(1);

    expect(gone!.header).toEqual(header);
    expect(chain.pool.has(id)).toBe(true);
    expect(mine().header.hash).not.toBe(header.hash);
  });

  it('spends an output once, in its blocks and among what waits', () => {
    const { chain, mine } = begun();
    const first = chain.send([{ to: OWN, amount: 5n }], ['a:0']);
    const second = chain.send([{ to: FOREIGN, amount: 5n }], ['a:0']);
    chain.hold(first);
    const waiting = [...chain.pool.keys()];
    mine();

    expect(waiting).toEqual([first.id]);
    expect(() => chain.hold(second)).toThrow('spent once');
    expect(() => chain.mine([second])).toThrow('spent once');
  });
});
