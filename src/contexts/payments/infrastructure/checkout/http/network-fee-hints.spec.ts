import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Asset } from '#shared/kernel/asset.js';
import { type TransferFee, TransferFees } from '#contexts/networks/contract/transfer-fees.js';
import { QuoteAssets } from '#contexts/rates/application/quote-assets.js';
import { SetRates } from '#contexts/rates/testing/set-rates.js';
import { COIN, DOLLAR, EURO, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { NetworkFeeHints } from './network-fee-hints.js';

const GWEI = 10n ** 9n;
const coin = { symbol: 'ETH', decimals: 18 };

class SetFees extends TransferFees {
  fee: TransferFee | undefined = { amount: 65_000n * GWEI, coin };
  readonly looked: string[] = [];

  known({ symbol }: Asset): TransferFee | undefined {
    this.looked.push(symbol);
    return this.fee;
  }
}

let fees: SetFees;
let rates: SetRates;
let hints: NetworkFeeHints;

beforeEach(() => {
  fees = new SetFees();
  rates = new SetRates();
  rates.set('ETH', 'USD', '2512.31');
  const catalogue = SmallCatalogue.withCoin();
  hints = new NetworkFeeHints(fees, new QuoteAssets(rates, catalogue), catalogue);
});

describe('The network fee that a payer is shown', () => {
  it.each([
    // 0.000065 ether are 0.16330… dollars.
    [65_000n * GWEI, { amount: '0.17', isLess: false }],
    [6_500_000n * GWEI, { amount: '16.34', isLess: false }],
    [1_000_000_000n, { amount: '0.01', isLess: true }],
  ])('of %d smallest units is rounded up to the price’s currency', (amount, shown) => {
    fees.fee = { amount, coin };

    expect(hints.hint(DOLLAR, 'USD')).toEqual({ ...shown, coinCode: 'USD' });
  });

  it('is in the currency that a price in an asset is pegged to', () => {
    expect(hints.hint(DOLLAR, 'USDX')).toEqual({ amount: '0.17', coinCode: 'USD', isLess: false });
  });

  it.each(['EUR', EURO.symbol, COIN.symbol])(
    'is in the network’s coin where its price in %s is not known',
    (code) => {
      fees.fee = { amount: 123_456_789n * 10n ** 6n, coin };

      expect(hints.hint(DOLLAR, code)).toEqual({ amount: '0.00013', coinCode: 'ETH', isLess: false });
    },
  );

  it('stays as it was while the market does not answer', () => {
    const before = hints.hint(DOLLAR, 'USD');
    rates.set('ETH', 'USD', null);

    expect(hints.hint(DOLLAR, 'USD')).toEqual(before);
  });

  it('is left out where it is not known, or nothing', () => {
    fees.fee = undefined;
    expect(hints.hint(DOLLAR, 'USD')).toBeUndefined();
    fees.fee = { amount: 0n, coin };
    expect(hints.hint(DOLLAR, 'USD')).toBeUndefined();
  });

  it('is asked for once a checkout is made, before its page is read', () => {
    hints.prepare([DOLLAR.uniqueAssetId, EURO.uniqueAssetId, 'nsandbox_tGONE'], 'USD');

    expect(fees.looked).toEqual(['USDX', 'EURX']);
  });
});
