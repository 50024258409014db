import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { renderCheckoutPage } from './checkout-page.js';
import {
  loadableScripts,
  PAGE_SCRIPTS,
  SANDBOX_WALLET_SCRIPT,
  WALLET_MESSAGES,
  WALLET_SCRIPTS,
} from './page-scripts.js';
import { EVERY_PAGE } from '#contexts/payments/testing/checkout/sample-pages.js';

describe.each([...PAGE_SCRIPTS.values()].map((script) => [script.path, script] as const))(
  'The script at %s',
  (path, { text, hash }) => {
    it('matches its hash, and is a single script', () => {
      expect(() => new Script(text)).not.toThrow();
      expect(hash).toBe(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(path).toMatch(/^\/checkout\/assets\/[a-z-]+-[0-9a-f]{16}\.js$/);
    });

    it('creates neither markup nor code from text', () => {
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
    });
  },
);

describe('The script of wallet payments', () => {
  it.each(PAGE_LANGUAGES)('has every text that it shows in the language %s', (language) => {
    const { text } = WALLET_SCRIPTS[language];
    const texts = WALLET_MESSAGES[language];
    const named = [
      ...[...text.matchAll(/\btext\.(\w+)/g)].map(([, name]) => name!),
      ...[...text.matchAll(/new Problem\('(\w+)'/g)].map(([, name]) => name!),
      ...[...text.matchAll(/work: '(\w+)'/g)].map(([, name]) => name!),
      ...[...text.matchAll(/'?-?\d{4,5}'?: '(\w+)'/g)].map(([, name]) => name!),
    ];

    expect(named.length).toBeGreaterThan(30);
    for (const name of named) expect(texts).toHaveProperty(name);
    for (const name of Object.keys(texts)) expect([...named, 'failed']).toContain(name);
  });

  it('has the same placeholders in every language', () => {
    const places = (texts: object) =>
      Object.values(texts as Record<string, string>).map((text) => (text.match(/\{\w+\}/g) ?? []).sort());

    for (const language of PAGE_LANGUAGES)
      expect(places(WALLET_MESSAGES[language])).toEqual(places(WALLET_MESSAGES.en));
  });

  it('is named with its hash by every page that a wallet can pay', () => {
    const { path, hash } = WALLET_SCRIPTS.es;

    expect(renderCheckoutPage(EVERY_PAGE.created!, 'es')).toContain(
      `data-script="${path} ${hash.slice(1, -1)}"`,
    );
    expect(loadableScripts(EVERY_PAGE.created!, 'es')).toEqual([WALLET_SCRIPTS.es]);
    expect(loadableScripts(EVERY_PAGE.pending!, 'en')).toEqual([WALLET_SCRIPTS.en]);
    expect(loadableScripts(EVERY_PAGE['created in the sandbox']!, 'en')).toContain(SANDBOX_WALLET_SCRIPT);
  });

  it.each(['confirming', 'closed', 'completed', 'expired', 'failed'])(
    'is not allowed on a page that is %s',
    (state) => {
      expect(loadableScripts(EVERY_PAGE[state]!, 'en')).toEqual([]);
      expect(renderCheckoutPage(EVERY_PAGE[state]!, 'en')).not.toContain('/checkout/assets/');
    },
  );
});
