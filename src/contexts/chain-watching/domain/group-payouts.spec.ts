import { describe, expect, it } from '@jest/globals';
import { computeGroupChanges } from './group-payouts.js';
import type { PayoutTerms, RecordedPayout, CanonicalPayout } from './recorded-payouts.js';

/** Terms of two addresses of account A and one address of account B. */
const termsByAddress = new Map(
  [
    ['a1', 'A'],
    ['a2', 'A'],
    ['b1', 'B'],
  ].map(([address, accountId]) => [
    address!,
    { paymentRequestId: `of ${address}`, organizationId: 'O', accountId } as unknown as PayoutTerms,
  ]),
);

function payout(address: string, logIndex: number, changes: Partial<RecordedPayout> = {}): RecordedPayout {
  return {
    ...{
      transactionHash: 't',
      logIndex,
      blockNumber: 7,
      blockHash: 'h',
      blockTime: new Date(0),
      from: 'f',
      address,
    },
    uniqueAssetId: 'x',
    currency: 'X',
    decimals: 6,
    toSettlement: 90n,
    toFee: 10n,
    ...changes,
  };
}

const canonicalPayout = (groupId: string, of: RecordedPayout): CanonicalPayout => ({
  ...of,
  groupId,
  final: false,
});

/** Returns the addresses and log indexes of each new group. */
function newGroupsAfter(
  recorded: readonly CanonicalPayout[],
  refuted: readonly RecordedPayout[],
  found: readonly RecordedPayout[],
) {
  const { removed, added } = computeGroupChanges(recorded, refuted, found, termsByAddress);
  return {
    removed,
    added: added.map(({ accountId, payouts }) => [
      accountId,
      payouts.map(({ address, logIndex }) => `${address} ${logIndex}`),
    ]),
  };
}

describe('The grouping of the payouts of a transaction', () => {
  it('forms one group per account and contract, in log order, and per block and transaction', () => {
    const found = [payout('a2', 5), payout('b1', 3), payout('a1', 1), payout('a1', 8, { from: 'g' })];

    expect(newGroupsAfter([], [], found)).toEqual({
      removed: [],
      added: [
        ['A', ['a1 1', 'a2 5']],
        ['B', ['b1 3']],
        ['A', ['a1 8']],
      ],
    });
    for (const changes of [{ blockHash: 'other' }, { transactionHash: 'u' }])
      expect(newGroupsAfter([], [], [payout('a1', 1), payout('a1', 1, changes)]).added).toHaveLength(2);
  });

  it('changes nothing if the payouts are recorded, and ignores unknown addresses', () => {
    const one = payout('a1', 1);

    expect(newGroupsAfter([canonicalPayout('G', one)], [], [one])).toEqual({ removed: [], added: [] });
    expect(newGroupsAfter([], [], [payout('stranger', 1)])).toEqual({ removed: [], added: [] });
  });

  it('replaces the group of an account if a payout was missed', () => {
    const recorded = [canonicalPayout('G', payout('a1', 1)), canonicalPayout('H', payout('b1', 2))];

    expect(newGroupsAfter(recorded, [], [payout('a2', 3)])).toEqual({
      removed: ['G'],
      added: [['A', ['a1 1', 'a2 3']]],
    });
  });

  it.each<[string, Partial<RecordedPayout>]>([
    ['amount', { toSettlement: 100n }],
    ['fee', { toFee: 0n }],
    ['asset', { uniqueAssetId: 'y' }],
    ['contract', { from: 'g' }],
    ['block', { blockHash: 'other' }],
    ['transaction', { transactionHash: 'u' }],
    ['log index', { logIndex: 2 }],
  ])('replaces the group if it had a wrong %s', (_, changes) => {
    const wrong = payout('a1', 1, changes);
    const { removed, added } = computeGroupChanges(
      [canonicalPayout('G', wrong)],
      [wrong],
      [payout('a1', 1)],
      termsByAddress,
    );

    expect(removed).toEqual(['G']);
    expect(added).toMatchObject([{ payouts: [payout('a1', 1)] }]);
  });

  it('removes the group if all of it was invented', () => {
    const invented = payout('a1', 1);

    expect(newGroupsAfter([canonicalPayout('G', invented)], [invented], [])).toEqual({
      removed: ['G'],
      added: [],
    });
  });

  it('moves a payout to the group of the right account if the address was wrong', () => {
    const wrong = payout('a1', 1);

    expect(newGroupsAfter([canonicalPayout('G', wrong)], [wrong], [payout('b1', 1)])).toEqual({
      removed: ['G'],
      added: [['B', ['b1 1']]],
    });
  });
});
