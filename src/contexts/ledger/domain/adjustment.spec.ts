import { describe, expect, it } from '@jest/globals';
import { amounts, expectAlways, lists, wholeNumbers } from '#test/support/properties.js';
import type { LedgerTransactionId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../testing/movements.js';
import { toAdjustmentTransaction, toDepositTransaction } from './movement.js';

const ID = '0193b2f4-9a10-7b21-8c32-9d43ae54bf65' as LedgerTransactionId;
const PAID = confirmedPayment({ receivedAmount: 1_000n, feeBasisPoints: 150 });

describe('The reversal of a movement', () => {
  it('reverses the difference between the amounts owed before and after', () => {
    const transaction = toAdjustmentTransaction(ID, reversalOf(PAID, { before: 1_000n, after: 401n }));

    // The net amount owed falls from 985 to 395. A fee of 8 on the reversed 599 would reverse 591 and leave too high a
    // fee on the rest.
    expect(transaction).toMatchObject({ grossAmount: -599n, netAmount: -590n, expectedAmount: -599n });
    expect(transaction.posting.entries.map(({ ledgerAccount, amount }) => [ledgerAccount, amount])).toEqual([
      ['custody', -599n],
      ['merchant_payable', 590n],
      ['service_fees', 9n],
    ]);
  });

  it('leaves the fee of the remainder after several reversals, and never owes the merchant less than zero', () => {
    expectAlways([lists(amounts()), wholeNumbers(0, 10_000)], (sums, feeBasisPoints) => {
      const steps = [...new Set(sums), 0n].sort((a, b) => (a < b ? 1 : -1));
      const paid = confirmedPayment({ receivedAmount: steps[0]!, feeBasisPoints });
      const netOf = (gross: bigint) => gross - (gross * BigInt(feeBasisPoints)) / 10_000n;
      let owed = netOf(steps[0]!);
      for (const [n, after] of steps.slice(1).entries()) {
        owed += toAdjustmentTransaction(ID, reversalOf(paid, { before: steps[n]!, after })).netAmount;
        expect(owed).toBe(netOf(after));
      }
      expect(owed).toBe(0n);
    });
  });

  it('negates a full deposit between the same addresses', () => {
    const received = receivedDeposit({ amount: 33n, feeBasisPoints: 9_999, referenceId: 'order-7' });
    const [booked, reversed] = [
      toDepositTransaction(ID, received),
      toAdjustmentTransaction(ID, reversalOf(received)),
    ];

    expect(reversed).toMatchObject({
      ...{ type: 'adjustment', status: 'completed', transferId: booked.transferId, grossAmount: -33n },
      netAmount: -booked.netAmount,
      ...{ expectedAmount: -33n, from: booked.from, to: booked.to },
      ...{ transactionHash: booked.transactionHash, paymentRequestId: booked.paymentRequestId },
      referenceId: 'order-7',
    });
  });

  it('posts the full reversal against fees if the merchant received nothing', () => {
    const { posting, netAmount } = toAdjustmentTransaction(
      ID,
      reversalOf(confirmedPayment({ feeBasisPoints: 10_000 })),
    );

    expect(netAmount).toBe(0n);
    expect(posting.entries.map(({ ledgerAccount }) => ledgerAccount)).toEqual(['custody', 'service_fees']);
  });

  it.each([
    ['nothing disappears', 5n, 5n],
    ['more is left than there was', 5n, 6n],
    ['less than nothing is left', 5n, -1n],
    ['there was nothing', 0n, 0n],
    ['there was more than the books can hold', 10n ** 95n, 0n],
  ])('is rejected if %s', (_, before, after) => {
    expect(() => toAdjustmentTransaction(ID, reversalOf(PAID, { before, after }))).toThrow(
      'A reversal cannot change',
    );
  });
});
