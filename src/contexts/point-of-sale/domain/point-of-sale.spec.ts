import { describe, expect, it } from '@jest/globals';
import {
  requireDistinct,
  frameOriginsFrom,
  merchantFrom,
  pointOfSaleType,
  requireSecureUrl,
} from './point-of-sale.js';
import { requireFeeBasisPoints } from './settlement-terms.js';
import { areTipPercentages, MAX_PRODUCTS, tillFrom } from './till-config.js';

describe('The merchant of a point of sale', () => {
  it('contains only its own fields', () => {
    const merchant = {
      name: ' Shop ',
      description: 'Shoes',
      taxId: 'DE1',
      image: 'https://shop.example/l.png',
      mcc: '5661',
    };

    expect(merchantFrom(merchant)).toEqual({ ...merchant, name: 'Shop' });
    expect(merchantFrom({ name: 'Shop' })).toEqual({ name: 'Shop' });
  });

  it.each([
    [{ name: '' }, 'config.merchant.name'],
    [{ name: 'Shop', mcc: '566' }, 'config.merchant.mcc'],
    [{ name: 'Shop', image: 'http://shop.example/l.png' }, 'config.merchant.image'],
    [{ name: 'Shop', description: 'x'.repeat(501) }, 'config.merchant.description'],
    [{ name: 'Shop', taxId: '' }, 'config.merchant.tax_id'],
  ])('is rejected if a field is invalid: %j', (input, field) => {
    expect(() => merchantFrom(input)).toThrow(`${field}: must be`);
  });
});

describe('A site that may frame the checkout', () => {
  it('is normalized to scheme, host and port', () => {
    const sites = [
      'HTTPS://Shop.Example:443/',
      'https://a.example:8443',
      'https://[::1]',
      'https://bücher.example',
    ];

    expect(frameOriginsFrom(sites)).toEqual([
      'https://shop.example',
      'https://a.example:8443',
      'https://[::1]',
      'https://xn--bcher-kva.example',
    ]);
  });

  it('uses HTTP only on the local machine', () => {
    const sites = ['http://localhost:8080', 'http://127.0.0.1', 'http://shop.localhost', 'http://[::1]:8080'];

    expect(frameOriginsFrom(sites)).toEqual(sites);
  });

  it.each([
    'https://shop.example/x',
    'http://shop.example',
    'http://localhost.shop.example',
    'http://localhost/x',
    'https://@shop.example',
    'https://u@a.example',
    'https://a;frame-src',
    'https://a,b',
    "https://'self'",
  ])('is rejected if it is not a plain HTTPS origin: %j', (text) => {
    expect(() => frameOriginsFrom([text])).toThrow('frame_origins: must be an origin');
  });
});

describe('A return URL', () => {
  it.each(['javascript:alert(1)', 'https://u:p@a.example', 'https://a.example/ x', 'HTTP://a.example'])(
    'is rejected if it is not a plain HTTPS URL: %j',
    (text) => {
      expect(() => requireSecureUrl('return_url', text)).toThrow('return_url: must be an https:// URL');
    },
  );

  it('is stored unchanged', () => {
    expect(requireSecureUrl('return_url', 'https://a.example/x?y=1#z')).toBe('https://a.example/x?y=1#z');
  });
});

describe('The check of the type and the fee of a point of sale', () => {
  it('accepts known types, and fees from 0 to 10,000 basis points', () => {
    expect(pointOfSaleType('physical')).toBe('physical');
    expect(() => pointOfSaleType('virtual')).toThrow('type: must be online or physical.');
    expect([requireFeeBasisPoints(0), requireFeeBasisPoints(10_000)]).toEqual([0, 10_000]);
    for (const share of [-1, 10_001, 0.5, NaN])
      expect(() => requireFeeBasisPoints(share)).toThrow('fee_basis_points');
  });
});

describe('The list of tips of a till', () => {
  it.each([
    [[], true],
    [[1, 5, 10, 100], true],
    [[0], false],
    [[101], false],
    [[1.5], false],
    [[5, 5], false],
    [[1, 2, 3, 4, 5], false],
  ])(
    'is accepted only if it has at most four different whole numbers from 1 to 100: %j',
    (values, areTips) => {
      expect(areTipPercentages(values)).toBe(areTips);
    },
  );
});

describe('The list of products of a till', () => {
  it('accepts as many products as the limit', () => {
    const till = (count: number) => () =>
      tillFrom({ coinCode: 'EUR', products: Array(count).fill({ name: 'Tea', amount: '2.00' }) }, []);

    expect(till(MAX_PRODUCTS)().products).toHaveLength(MAX_PRODUCTS);
    expect(till(MAX_PRODUCTS + 1)).toThrow(`must have at most ${MAX_PRODUCTS} items`);
  });
});

describe('A list of values', () => {
  it('accepts as many values as its limit, each only once', () => {
    expect(requireDistinct('field', 2, ['a', 'b'])).toEqual(['a', 'b']);
    expect(() => requireDistinct('field', 1, ['a', 'b'])).toThrow('must have at most 1 items');
    expect(() => requireDistinct('field', 2, ['a', 'a'])).toThrow('must not contain a twice');
  });
});
