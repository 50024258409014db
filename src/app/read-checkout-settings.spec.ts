import { describe, expect, it } from '@jest/globals';
import { CheckoutSettings } from '../contexts/payments/infrastructure/checkout-settings.js';
import { generatePaserkKeyPair } from '../contexts/payments/infrastructure/naspip/paserk.js';
import { parseWallets } from './read-checkout-settings.js';
import { InvalidSettings } from './setting-reader.js';
import { readSettings } from './settings.js';

const [FIRST, SECOND] = ['A'.repeat(43), `${'C'.repeat(42)}A`] as const;
const DEVELOPMENT = {
  SERVICE_ENV: 'development',
  DATABASE_URL: 'postgres://service@127.0.0.1/payments',
  TOKEN_SIGNING_KEYS: `key-2:${FIRST},key-1:${SECOND}`,
  WEBHOOK_SECRET_KEYS: `key-1:${'B'.repeat(42)}A`,
  NASPIP_ISSUER: 'pay.example',
  NASPIP_KEY_ID: 'key-2026',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2100-01-01T00:00:00Z',
  NETWORKS_FILE: 'docs/networks.example.json',
};
const STAGING = { ...DEVELOPMENT, SERVICE_ENV: 'staging', PUBLIC_URL: 'https://api.example/' };
const PRODUCTION = { ...STAGING, SERVICE_ENV: 'production' };

function checkoutOf(values: Record<string, string>): CheckoutSettings {
  const found = readSettings(values).contexts.find((settings) => settings instanceof CheckoutSettings);
  return found!;
}

function problemsOf(values: Record<string, string>): string {
  try {
    readSettings(values);
    return '';
  } catch (error) {
    if (error instanceof InvalidSettings) return error.problems.join('\n');
    throw error;
  }
}

describe('Where the hosted pages are', () => {
  it('is where the API is, unless CHECKOUT_URL says another origin', () => {
    expect(checkoutOf(PRODUCTION)).toMatchObject({
      publicUrl: 'https://api.example',
      checkoutHost: 'https://api.example',
    });
    expect(checkoutOf({ ...PRODUCTION, CHECKOUT_URL: 'https://pay.example/' })).toMatchObject({
      publicUrl: 'https://api.example',
      checkoutHost: 'https://pay.example',
    });
  });

  it.each(['https://pay.example/shop', 'https://pay.example?a=b', 'https://user@pay.example'])(
    'is no %s',
    (CHECKOUT_URL) => {
      expect(problemsOf({ ...PRODUCTION, CHECKOUT_URL })).toContain('CHECKOUT_URL must be an origin');
    },
  );

  it('is never without https outside development', () => {
    const plain = { CHECKOUT_URL: 'http://pay.example' };

    expect(problemsOf({ ...DEVELOPMENT, ...plain })).toBe('');
    expect(problemsOf({ ...STAGING, ...plain })).toContain('CHECKOUT_URL must be a URL');
    expect(problemsOf({ ...PRODUCTION, ...plain })).toContain('CHECKOUT_URL must be a URL');
  });
});

describe('The wallets that are offered', () => {
  it('are read by name and base, schemes of their own included', () => {
    expect(parseWallets('')).toEqual([]);
    expect(parseWallets(' Blue Wallet=bluewallet:pay , Web=https://wallet.example/pay?x=1,')).toEqual([
      { name: 'Blue Wallet', base: 'bluewallet:pay' },
      { name: 'Web', base: 'https://wallet.example/pay?x=1' },
    ]);
  });

  it.each([
    ['Wallet', 'must be a list like'],
    ['=https://wallet.example', 'must be a list like'],
    ['Wallet=wallet', 'must be a list like'],
    ['Wallet=https://wallet .example', 'must be a list like'],
    ['Bad=javascript:alert(1)', 'must be opened by https:'],
    ['Bad=JavaScript:alert(1)', 'must be opened by https:'],
    ['Bad=data:text/html;base64,PGI+', 'must be opened by https:'],
    ['Bad=http://wallet.example', 'must be opened by https:'],
    ['Bad=file:///etc/passwd', 'must be opened by https:'],
    [Array.from({ length: 7 }, (_, i) => `W${i}=w${i}:pay`).join(), 'at most 6 wallets'],
  ])('are not %s', (CHECKOUT_WALLETS, sentence) => {
    const problems = problemsOf({ ...DEVELOPMENT, CHECKOUT_WALLETS });

    expect(problems).toMatch(/^CHECKOUT_WALLETS/);
    expect(problems).toContain(sentence);
  });
});

describe('The wallet of play money', () => {
  const sandbox = { CHECKOUT_SANDBOX_WALLET_URL: 'http://127.0.0.1:8547/' };

  it('is offered in development alone', () => {
    expect(checkoutOf({ ...DEVELOPMENT, ...sandbox }).sandboxWalletUrl).toBe('http://127.0.0.1:8547');
    expect(checkoutOf(DEVELOPMENT).sandboxWalletUrl).toBeUndefined();
    expect(problemsOf({ ...STAGING, ...sandbox })).toContain('for development only; SERVICE_ENV is staging');
    expect(problemsOf({ ...PRODUCTION, ...sandbox })).toContain('SERVICE_ENV is production');
  });
});

describe('The keys of cookies', () => {
  it('follow from the signing keys, in their order, and are none of them', () => {
    const { cookieKeys } = checkoutOf(DEVELOPMENT);
    const again = checkoutOf(DEVELOPMENT).cookieKeys;
    const rotated = checkoutOf({ ...DEVELOPMENT, TOKEN_SIGNING_KEYS: `key-1:${SECOND}` }).cookieKeys;

    expect(cookieKeys.map(({ length }) => length)).toEqual([32, 32]);
    expect(cookieKeys).toEqual(again);
    expect(rotated).toEqual([cookieKeys[1]]);
    const signing = [FIRST, SECOND].map((secret) => Buffer.from(secret, 'base64url'));
    for (const key of cookieKeys) expect(signing).not.toContainEqual(key);
    expect(cookieKeys[0]).not.toEqual(cookieKeys[1]);
  });
});
