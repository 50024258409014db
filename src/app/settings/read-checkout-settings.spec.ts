import { describe, expect, it } from '@jest/globals';
import { CheckoutSettings } from '#contexts/payments/infrastructure/requests/checkout-settings.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { parseWalletLinks } from './read-checkout-settings.js';
import { readSettings } from './settings.js';
import { COMPLETE_SETTINGS, PRODUCTION_SETTINGS, findSettingsProblems } from './testing/complete-settings.js';

const [FIRST, SECOND] = ['A'.repeat(43), `${'C'.repeat(42)}A`] as const;
const DEVELOPMENT = { ...COMPLETE_SETTINGS, TOKEN_SIGNING_KEYS: `key-2:${FIRST},key-1:${SECOND}` };
const STAGING = { ...PRODUCTION_SETTINGS, SERVICE_ENV: 'staging' };

function checkoutOf(values: Record<string, string>): CheckoutSettings {
  const found = readSettings(values).contexts.find((settings) => settings instanceof CheckoutSettings);
  return found!;
}

function httpOf(values: Record<string, string>): HttpSettings {
  return readSettings(values).contexts.find((settings) => settings instanceof HttpSettings)!;
}

describe('The origin of the hosted pages', () => {
  it('equals the API origin unless CHECKOUT_URL is set', () => {
    expect(checkoutOf(PRODUCTION_SETTINGS)).toMatchObject({
      publicUrl: 'https://api.example',
      checkoutHost: 'https://api.example',
    });
    expect(checkoutOf({ ...PRODUCTION_SETTINGS, CHECKOUT_URL: 'https://pay.example/' })).toMatchObject({
      publicUrl: 'https://api.example',
      checkoutHost: 'https://pay.example',
    });
  });

  it.each(['https://pay.example/shop', 'https://user@pay.example'])(
    'is rejected if the URL has more than an origin: %s',
    (CHECKOUT_URL) => {
      expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, CHECKOUT_URL })).toContain(
        'CHECKOUT_URL must be an origin',
      );
    },
  );

  it.each(['https://api.example/v2'])('cannot be the API URL if that has a path: %s', (PUBLIC_URL) => {
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, PUBLIC_URL })).toBe(
      'PUBLIC_URL must be an origin, like https://pay.example, without a path.',
    );
  });

  it('is compared in normalized form', () => {
    const settings = checkoutOf({
      ...PRODUCTION_SETTINGS,
      PUBLIC_URL: 'https://API.example:443/',
      CHECKOUT_URL: 'https://api.example',
    });

    expect(settings.otherOrigin).toBeUndefined();
    expect(settings.ownOrigins).toEqual(['https://api.example', 'https://api.example']);
  });

  it('requires https outside development', () => {
    const plain = { CHECKOUT_URL: 'http://pay.example' };

    expect(findSettingsProblems({ ...DEVELOPMENT, ...plain })).toBe('');
    expect(findSettingsProblems({ ...STAGING, ...plain })).toContain('CHECKOUT_URL must be a URL');
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, ...plain })).toContain(
      'CHECKOUT_URL must be a URL',
    );
  });
});

describe('The list of wallets', () => {
  it('reads names and base URLs, including custom schemes', () => {
    expect(parseWalletLinks('')).toEqual([]);
    expect(parseWalletLinks(' Blue Wallet=bluewallet:pay , Web=https://wallet.example/pay?x=1,')).toEqual([
      { name: 'Blue Wallet', base: 'bluewallet:pay' },
      { name: 'Web', base: 'https://wallet.example/pay?x=1' },
    ]);
  });

  it.each([
    ['Wallet', 'must be a list like'],
    ['Bad=javascript:alert(1)', 'must use https:'],
    ['Bad=JavaScript:alert(1)', 'must use https:'],
    ['Bad=http://wallet.example', 'must use https:'],
    ['Bad=https://wallet.example/#pay', 'must not contain #'],
    [Array.from({ length: 7 }, (_, i) => `W${i}=w${i}:pay`).join(), 'at most 6 wallets'],
  ])('rejects an invalid wallet: %s', (CHECKOUT_WALLETS, sentence) => {
    const problems = findSettingsProblems({ ...DEVELOPMENT, CHECKOUT_WALLETS });

    expect(problems).toMatch(/^CHECKOUT_WALLETS/);
    expect(problems).toContain(sentence);
  });
});

describe('The sandbox wallet', () => {
  const sandbox = { CHECKOUT_SANDBOX_WALLET_URL: 'http://127.0.0.1:8547/' };

  it('is available only in development', () => {
    expect(checkoutOf({ ...DEVELOPMENT, ...sandbox }).sandboxWalletUrl).toBe('http://127.0.0.1:8547');
    expect(checkoutOf(DEVELOPMENT).sandboxWalletUrl).toBeUndefined();
    expect(findSettingsProblems({ ...STAGING, ...sandbox })).toContain(
      'for development only; SERVICE_ENV is staging',
    );
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, ...sandbox })).toContain(
      'SERVICE_ENV is production',
    );
  });
});

describe('The public rate limits', () => {
  it('defaults to 120 requests for one session, 30 misses and 1,200 requests for one page a minute', () => {
    expect(httpOf(DEVELOPMENT).publicLimits).toEqual({ requests: 120, misses: 30, pages: 1_200 });
  });

  it('rejects requests through unlisted proxies only in production', () => {
    const refuses = [DEVELOPMENT, STAGING, PRODUCTION_SETTINGS].map(
      (each) => httpOf(each).refusesUnlistedProxies,
    );

    expect(refuses).toEqual([false, false, true]);
  });

  it('allows at least one page', () => {
    const limits = {
      PUBLIC_REQUESTS_PER_MINUTE: '9',
      PUBLIC_MISSES_PER_MINUTE: '4',
      PAGE_REQUESTS_PER_MINUTE: '9',
    };

    const problems = findSettingsProblems({ ...DEVELOPMENT, ...limits });

    for (const name of Object.keys(limits)) expect(problems).toContain(`${name} must be a whole number`);
  });
});

describe('The cookie keys', () => {
  it('derives from the signing keys in their order, and equals none of them', () => {
    const keysOf = (values: Record<string, string>) =>
      checkoutOf(values).cookieKeys.allKeys.map(({ cookieKey }) => cookieKey);
    const cookieKeys = keysOf(DEVELOPMENT);
    const again = keysOf(DEVELOPMENT);
    const rotated = keysOf({ ...DEVELOPMENT, TOKEN_SIGNING_KEYS: `key-1:${SECOND}` });

    expect(cookieKeys.map(({ length }) => length)).toEqual([32, 32]);
    expect(cookieKeys).toEqual(again);
    expect(rotated).toEqual([cookieKeys[1]]);
    const signing = [FIRST, SECOND].map((secret) => Buffer.from(secret, 'base64url'));
    for (const key of cookieKeys) expect(signing).not.toContainEqual(key);
    expect(cookieKeys[0]).not.toEqual(cookieKeys[1]);
  });
});
