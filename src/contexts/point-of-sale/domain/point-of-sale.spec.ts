import { describe, expect, it } from '@jest/globals';
import { frameOriginsFrom, merchantFrom, pointOfSaleType, secureUrl } from './point-of-sale.js';
import { feeShareFrom } from './settlement-terms.js';

describe('A merchant', () => {
  it('keeps its own fields and nothing else', () => {
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
  ])('is refused as %j', (input, field) => {
    expect(() => merchantFrom(input)).toThrow(`${field}: must be`);
  });
});

describe('A site that may frame the checkout', () => {
  it('is scheme, host and port', () => {
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

  it('may be of the own machine without TLS, to try it', () => {
    const sites = ['http://localhost:8080', 'http://127.0.0.1', 'http://shop.localhost', 'http://[::1]:8080'];

    expect(frameOriginsFrom(sites)).toEqual(sites);
  });

  it.each([
    'https://shop.example/x',
    'http://shop.example',
    'http://localhost.shop.example',
    'http://localhost:99999',
    'http://localhost/x',
    'https://shop.example/?',
    'https://@shop.example',
    '*',
    "'self'",
    'https://*.example/;script-src *',
    'https://u@a.example',
    'https://*',
    'https://*.example',
    'https://a;frame-src',
    'https://a,b',
    "https://'self'",
  ])('is never %j', (text) => {
    expect(() => frameOriginsFrom([text])).toThrow('frame_origins: must be an origin');
  });
});

describe('A return URL', () => {
  it.each([
    'javascript:alert(1)',
    'https://',
    'https://u:p@a.example',
    'https://a.example/ x',
    '//a.example',
    'HTTP://a.example',
  ])('is never %j', (text) => {
    expect(() => secureUrl('return_url', text)).toThrow('return_url: must be an https:// URL');
  });

  it('is kept as it was sent', () => {
    expect(secureUrl('return_url', 'https://a.example/x?y=1#z')).toBe('https://a.example/x?y=1#z');
  });
});

describe('Types and shares', () => {
  it('know their bounds', () => {
    expect(pointOfSaleType('physical')).toBe('physical');
    expect(() => pointOfSaleType('virtual')).toThrow('type: must be online or physical.');
    expect([feeShareFrom(0), feeShareFrom(10_000)]).toEqual([0, 10_000]);
    for (const share of [-1, 10_001, 0.5, NaN]) expect(() => feeShareFrom(share)).toThrow('fee_basis_points');
  });
});
