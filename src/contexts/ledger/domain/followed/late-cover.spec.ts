import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { amounts, expectAlways, lists } from '#test/support/properties.js';
import { receivedDeposit, reversalOf } from '../../testing/movements.js';
import { toMovementTransaction } from '../movement.js';
import { linkLateFunds, type PayoutAwaitingBookedFunds } from './late-cover.js';

const received = receivedDeposit({ feeBasisPoints: 5_000, amount: 3n });
const { organizationId, accountId, paymentRequestId, uniqueAssetId, to } = received;
const booked = (amount: bigint, address = to) =>
  toMovementTransaction(newId(), { ...received, transferId: newId(), amount, to: address });

/** A completed payout of 6 units from the deposit address of `received`, with a fee of 50 percent. */
const payout = (facts: Partial<PayoutAwaitingBookedFunds> = {}): PayoutAwaitingBookedFunds => ({
  ...{ withdrawalId: newId(), settlementId: newId(), organizationId, accountId, paymentRequestId },
  ...{ address: to.toLowerCase(), uniqueAssetId, gross: 6n, feeBasisPoints: 5_000, uncovered: 6n },
  ...{ status: 'completed', lines: 4, linkedNet: 0n },
  ...facts,
});

describe('Money booked after its payout', () => {
  it('is linked to the oldest payout that has room for all of it', () => {
    const waiting = [payout({ uncovered: 2n }), payout(), payout()];

    const { links, payouts } = linkLateFunds([booked(3n)], waiting);

    expect(links.map(({ withdrawalId }) => withdrawalId)).toEqual([waiting[1]!.withdrawalId]);
    expect(payouts).toEqual([{ ...waiting[1], uncovered: 3n, linkedNet: 2n }]);
  });

  it.each<[string, Partial<PayoutAwaitingBookedFunds>]>([
    ['account', { accountId: newId() }],
    ['payment request', { paymentRequestId: newId() }],
    ['asset', { uniqueAssetId: 'nsandbox_tETH' }],
    ['address', { address: '0x1' }],
  ])('is not linked to a payout of another %s', (_, facts) => {
    expect(linkLateFunds([booked(3n)], [payout(facts)])).toEqual({ links: [], lines: [], payouts: [] });
  });

  it('covers no payout beyond what left its address, and is linked once', () => {
    const some = lists(amounts(1n, 20n));
    expectAlways([some, some], (received, uncovered) => {
      const waiting = uncovered.map((units) => payout({ gross: units, uncovered: units }));
      const money = received.map((units) => booked(units));
      const { links, payouts } = linkLateFunds(money, waiting);
      const sumOf = (id: string) =>
        money
          .filter(({ id: of }) => links.some((link) => link.transactionId === of && link.withdrawalId === id))
          .reduce((sum, { grossAmount }) => sum + grossAmount, 0n);

      expect(new Set(links.map(({ transactionId }) => transactionId)).size).toBe(links.length);
      for (const { withdrawalId, uncovered: left, gross } of payouts) {
        expect(left).toBeGreaterThanOrEqual(0n);
        expect(sumOf(withdrawalId)).toBe(gross - left);
      }
    });
  });

  it('is not linked if it is a reversal', () => {
    expect(linkLateFunds([toMovementTransaction(newId(), reversalOf(received))], [payout()]).links).toEqual(
      [],
    );
  });

  it('posts rounding once it covers the full payout, after the lines of other payouts of the settlement', () => {
    const shared = { withdrawalId: payout().withdrawalId };
    const waiting = [payout(shared), payout({ ...shared, address: '0xb' })];
    const all = [booked(3n), booked(3n, '0xB'), booked(3n), booked(3n, '0xB')];

    const { lines } = linkLateFunds(all, waiting);

    expect(linkLateFunds(all.slice(0, 2), waiting).lines).toEqual([]);
    expect(lines.map(({ firstLine, posting }) => [firstLine, posting.entries[0]!.amount])).toEqual([
      [5, 1n],
      [7, 1n],
    ]);
  });

  it('posts no rounding while the settlement is processing', () => {
    expect(linkLateFunds([booked(3n), booked(3n)], [payout({ status: 'processing' })]).lines).toEqual([]);
  });
});
