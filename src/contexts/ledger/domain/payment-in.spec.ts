import { describe, expect, it } from '@jest/globals';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import { amounts, expectAlways, wholeNumbers } from '#test/support/properties.js';
import type { LedgerTransactionId } from '#shared/kernel/ids.js';
import { confirmedPayment, USDC } from '../testing/movements.js';
import type { MovementTransaction } from './on-chain-movement.js';
import { toPaymentInTransaction } from './movement.js';

const ID = '0193b2f4-9a10-7b21-8c32-9d43ae54bf65' as LedgerTransactionId;

const linesOf = (transaction: MovementTransaction) =>
  transaction.posting.entries.map(({ ledgerAccount, amount }) => [ledgerAccount, amount]);

describe('The transaction of a payment', () => {
  it('holds the gross in custody, earns the fee rounded down and owes the merchant the rest', () => {
    const payment = confirmedPayment({ expectedAmount: 1_000n, receivedAmount: 999n, feeBasisPoints: 150 });

    const transaction = toPaymentInTransaction(ID, payment);

    expect(transaction).toMatchObject({ grossAmount: 999n, expectedAmount: 1_000n, netAmount: 985n });
    expect(linesOf(transaction)).toEqual([
      ['custody', 999n],
      ['merchant_payable', -985n],
      ['service_fees', -14n],
    ]);
  });

  it('is a movement from a wallet into a vault on the chain', () => {
    const transaction = toPaymentInTransaction(ID, confirmedPayment({ from: '0xfrom', to: '0xto' }));

    expect(transaction).toMatchObject({
      id: ID,
      type: 'payment_in',
      status: 'completed',
      from: { address: '0xfrom', type: 'wallet' },
      to: { address: '0xto', type: 'vault' },
      financialProvider: 'onchain',
      network: 'sandbox',
      uniqueAssetId: USDC,
    });
  });

  it.each<[string, bigint, number, [string, bigint][]]>([
    [
      'no fee line without a fee',
      5n,
      0,
      [
        ['custody', 5n],
        ['merchant_payable', -5n],
      ],
    ],
    [
      'no fee line if the fee rounds to zero',
      1n,
      9_999,
      [
        ['custody', 1n],
        ['merchant_payable', -1n],
      ],
    ],
    [
      'no line of the merchant if all is fee',
      5n,
      10_000,
      [
        ['custody', 5n],
        ['service_fees', -5n],
      ],
    ],
  ])('has %s', (_, receivedAmount, feeBasisPoints, lines) => {
    expect(linesOf(toPaymentInTransaction(ID, confirmedPayment({ receivedAmount, feeBasisPoints })))).toEqual(
      lines,
    );
  });

  it('balances, with the fee rounded down', () => {
    expectAlways([amounts(1n, 10n ** 95n - 1n), wholeNumbers(0, 10_000)], (gross, feeBasisPoints) => {
      const transaction = toPaymentInTransaction(
        ID,
        confirmedPayment({ receivedAmount: gross, feeBasisPoints }),
      );

      expect(transaction.posting.entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      expect(transaction.grossAmount).toBe(gross);
      expect(gross - transaction.netAmount).toBe((gross * BigInt(feeBasisPoints)) / 10_000n);
    });
  });

  it('accepts the largest sum that the books hold', () => {
    const receivedAmount = 10n ** 95n - 1n;

    expect(toPaymentInTransaction(ID, confirmedPayment({ receivedAmount })).grossAmount).toBe(receivedAmount);
  });

  it.each([
    ['nothing received', { receivedAmount: 0n }],
    ['a negative amount received', { receivedAmount: -1n }],
    ['more received than the books can hold', { receivedAmount: 10n ** 95n }],
    ['nothing requested', { expectedAmount: 0n }],
    ['more requested than a chain can hold', { expectedAmount: MAX_AMOUNT + 1n }],
    ['a negative fee', { feeBasisPoints: -1 }],
    ['a fee above the whole', { feeBasisPoints: 10_001 }],
    ['a fee in fractions of a basis point', { feeBasisPoints: 0.5 }],
    ['a fee that is no number', { feeBasisPoints: Number.NaN }],
  ])('is rejected for an impossible payment: %s', (_, facts) => {
    expect(() => toPaymentInTransaction(ID, confirmedPayment(facts))).toThrow();
  });
});
