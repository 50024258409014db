import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { forEachSeed } from '#shared/kernel/testing/seeded-random.js';
import { anyCredits } from '../testing/any-credits.js';
import { transactionOf } from './movement.js';
import type { Transaction } from './transaction.js';

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe('Whatever comes and disappears again', () => {
  it('is, all in all, what stands on the chain, with the fee of what stands rounded down, to the unit', () => {
    forEachSeed(2_000, (random) => {
      const { movements, remaining, feeBasisPoints } = anyCredits(random);

      const transactions = movements.map((movement) => transactionOf(newId(), movement));

      const fees = remaining.map((amount) => (amount * BigInt(feeBasisPoints)) / 10_000n);
      const total = (of: (transaction: Transaction) => bigint) => sum(transactions.map(of));
      const balance = (account: string) =>
        sum(
          transactions
            .flatMap(({ posting }) => posting.entries)
            .filter(({ ledgerAccount }) => ledgerAccount === account)
            .map(({ amount }) => amount),
        );
      expect(total(({ grossAmount }) => grossAmount)).toBe(sum(remaining));
      expect(total(({ netAmount }) => netAmount)).toBe(sum(remaining) - sum(fees));
      expect([balance('custody'), balance('service_fees'), balance('merchant_payable')]).toEqual([
        sum(remaining),
        -sum(fees),
        sum(fees) - sum(remaining),
      ]);
    });
  });

  it('never owes less than nothing on the way', () => {
    forEachSeed(2_000, (random) => {
      let owed = 0n;

      for (const movement of anyCredits(random).movements) {
        owed += transactionOf(newId(), movement).netAmount;
        expect(owed >= 0n).toBe(true);
      }
    });
  });
});
