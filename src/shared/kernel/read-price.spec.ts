import { describe, expect, it } from '@jest/globals';
import type { Asset } from './asset.js';
import { findCurrencyOrAsset, requireCurrencyOrAsset } from './read-price.js';

const asset = (symbol: string, decimals: number) => ({ symbol, decimals }) as Asset;
const assets = [asset('USDC', 18), asset('USDC', 6), asset('stETH', 18)];

describe('A coin code', () => {
  it('names a currency with the fraction digits of ISO 4217', () => {
    expect(findCurrencyOrAsset('EUR', assets)).toEqual({ kind: 'currency', code: 'EUR', fractionDigits: 2 });
    expect(findCurrencyOrAsset('JPY', [])).toEqual({ kind: 'currency', code: 'JPY', fractionDigits: 0 });
  });

  it('names an asset with the fewest fraction digits on any network', () => {
    expect(findCurrencyOrAsset('USDC', assets)).toEqual({ kind: 'asset', code: 'USDC', fractionDigits: 6 });
    expect(findCurrencyOrAsset('stETH', assets)).toEqual({
      kind: 'asset',
      code: 'stETH',
      fractionDigits: 18,
    });
  });

  it.each(['DAI', 'usdc', 'XXX', 'DEM', ' EUR'])('is rejected if it is unknown: %j', (code) => {
    expect(findCurrencyOrAsset(code, assets)).toBeUndefined();
  });

  it.each([
    ['usd', 'coin_code: must be in capital letters: "USD".'],
    ['steth', 'coin_code: must be spelled "stETH".'],
  ])('is rejected with the correction: %s', (code, message) => {
    expect(() => requireCurrencyOrAsset(code, assets)).toThrow(message);
  });
});
