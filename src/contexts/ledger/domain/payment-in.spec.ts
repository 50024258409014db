import { describe, expect, it } from '@jest/globals';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { TransactionId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { confirmedPayment, USDC } from '../testing/movements.js';
import type { MovementRecord } from './on-chain-movement.js';
import { paymentIn } from './payment-in.js';

const ID = '0193b2f4-9a10-7b21-8c32-9d43ae54bf65' as TransactionId;

/** Amounts from 1 to 2^256 - 1, all magnitudes equally often. */
const anyAmount = (random: SeededRandom) => random.bits(256) >> BigInt(random.whole(0, 255)) || 1n;

const linesOf = (transaction: MovementRecord) =>
  transaction.posting.entries.map(({ ledgerAccount, amount }) => [ledgerAccount, amount]);

describe('Posting a payment in', () => {
  it('holds the gross in custody, earns the fee rounded down and owes the merchant the rest', () => {
    const payment = confirmedPayment({ expectedAmount: 1_000n, receivedAmount: 999n, feeBasisPoints: 150 });

    const transaction = paymentIn(ID, payment);

    expect(transaction).toMatchObject({ grossAmount: 999n, expectedAmount: 1_000n, netAmount: 985n });
    expect(linesOf(transaction)).toEqual([
      ['custody', 999n],
      ['merchant_payable', -985n],
      ['service_fees', -14n],
    ]);
  });

  it('is a completed movement from a wallet into a vault on the chain', () => {
    const transaction = paymentIn(ID, confirmedPayment({ from: '0xfrom', to: '0xto' }));

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

  it.each([
    [
      'without a fee has no fee line',
      5n,
      0,
      [
        ['custody', 5n],
        ['merchant_payable', -5n],
      ],
    ],
    [
      'too small for its fee has no fee line',
      1n,
      9_999,
      [
        ['custody', 1n],
        ['merchant_payable', -1n],
      ],
    ],
    [
      'that is all fee owes the merchant nothing',
      5n,
      10_000,
      [
        ['custody', 5n],
        ['service_fees', -5n],
      ],
    ],
  ])('%s', (_, receivedAmount, feeBasisPoints, lines) => {
    expect(linesOf(paymentIn(ID, confirmedPayment({ receivedAmount, feeBasisPoints })))).toEqual(lines);
  });

  it('balances, and never charges more than its share, for any amount and any fee', () => {
    const random = new SeededRandom(20_251);

    for (let round = 0; round < 5_000; round += 1) {
      const gross = [MAX_AMOUNT, 10n ** 95n - 1n][round] ?? anyAmount(random);
      const feeBasisPoints = random.whole(0, 10_000);
      const transaction = paymentIn(ID, confirmedPayment({ receivedAmount: gross, feeBasisPoints }));
      const fee = transaction.grossAmount - transaction.netAmount;

      expect(transaction.posting.entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      expect(fee * 10_000n <= gross * BigInt(feeBasisPoints)).toBe(true);
      expect((fee + 1n) * 10_000n > gross * BigInt(feeBasisPoints)).toBe(true);
      expect(fee >= 0n && transaction.netAmount >= 0n && transaction.grossAmount === gross).toBe(true);
    }
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
  ])('refuses %s', (_, facts) => {
    expect(() => paymentIn(ID, confirmedPayment(facts))).toThrow();
  });
});
