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

  cachedFee({ symbol }: Asset): TransferFee | undefined {
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

describe('The network fee shown to a payer', () => {
  it.each([
    // 0.000065 ether are 0.16330… dollars.
    [65_000n * GWEI, { amount: '0.17', isLess: false }],
    [6_500_000n * GWEI, { amount: '16.34', isLess: false }],
    [1_000_000_000n, { amount: '0.01', isLess: true }],
  ])('is rounded up in the currency of the price: %d smallest units', (amount, shown) => {
    fees.fee = { amount, coin };

    expect(hints.hint(DOLLAR, 'USD')).toEqual({ ...shown, coinCode: 'USD', feeCoin: 'ETH' });
  });

  it('uses the currency to which an asset is pegged', () => {
    const inDollars = { amount: '0.17', coinCode: 'USD', isLess: false, feeCoin: 'ETH' };
    expect(hints.hint(DOLLAR, 'USDX')).toEqual(inDollars);
  });

  it.each(['EUR', EURO.symbol, COIN.symbol])(
    'uses the coin of the network if the price of the coin is unknown: in %s',
    (code) => {
      fees.fee = { amount: 123_456_789n * 10n ** 6n, coin };

      const inCoin = { amount: '0.00013', coinCode: 'ETH', isLess: false, feeCoin: 'ETH' };
      expect(hints.hint(DOLLAR, code)).toEqual(inCoin);
    },
  );

  it('names no fee coin if the payment is made in the coin of the fee', () => {
    expect(hints.hint(COIN, 'USD')).not.toHaveProperty('feeCoin');
  });

  it('is omitted if it is unknown or zero', () => {
    fees.fee = undefined;
    expect(hints.hint(DOLLAR, 'USD')).toBeUndefined();
    fees.fee = { amount: 0n, coin };
    expect(hints.hint(DOLLAR, 'USD')).toBeUndefined();
  });

  it('is requested when a checkout is created', () => {
    hints.prepare([DOLLAR.uniqueAssetId, EURO.uniqueAssetId, 'nsandbox_tGONE'], 'USD');

    expect(fees.looked).toEqual(['USDX', 'EURX']);
  });
});
