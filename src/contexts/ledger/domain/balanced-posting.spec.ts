import { describe, expect, it } from '@jest/globals';
import { type LedgerAccount, Posting } from './balanced-posting.js';

const line = (ledgerAccount: LedgerAccount, amount: bigint, uniqueAssetId = 'usdc') => ({
  ledgerAccount,
  uniqueAssetId,
  amount,
});

describe('A posting', () => {
  it('keeps the order of its lines and omits zero amounts', () => {
    const posting = Posting.createBalanced([
      line('custody', 7n),
      line('service_fees', 0n),
      line('merchant_payable', -7n),
    ]);

    expect(posting.entries).toEqual([line('custody', 7n), line('merchant_payable', -7n)]);
  });

  it('is rejected for a difference of one unit', () => {
    expect(() =>
      Posting.createBalanced([line('custody', 2n ** 200n), line('merchant_payable', 1n - 2n ** 200n)]),
    ).toThrow('out of balance by 1 of usdc');
  });

  it('is rejected if the amounts balance only across assets', () => {
    expect(() =>
      Posting.createBalanced([line('custody', 7n, 'usdc'), line('merchant_payable', -7n, 'usdt')]),
    ).toThrow('out of balance');
  });

  it('is rejected without amounts', () => {
    expect(() => Posting.createBalanced([])).toThrow('must move an amount');
    expect(() => Posting.createBalanced([line('custody', 0n)])).toThrow('must move an amount');
  });

  it('cannot be changed later', () => {
    const { entries } = Posting.createBalanced([line('custody', 7n), line('merchant_payable', -7n)]);

    expect(() => (entries as unknown[]).pop()).toThrow();
  });
});
