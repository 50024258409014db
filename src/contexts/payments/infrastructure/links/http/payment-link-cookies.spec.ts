import { describe, expect, it } from '@jest/globals';
import { fixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { COOKIE_NAME, PaymentLinkCookies } from './payment-link-cookies.js';

const CODE = 'Zr0t8pJ5cVd2mQw7LxK1Ag';
const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);

function cookiesWith(...keys: Buffer[]): PaymentLinkCookies {
  const cookieKeys = fixedKeys(...keys.map((cookieKey, index) => ({ id: `key-${index}`, cookieKey })));
  const settings = { publicUrl: 'https://api.example', checkoutHost: 'https://pay.example', wallets: [] };
  return new PaymentLinkCookies(new CheckoutSettings({ ...settings, cookieKeys }));
}

const cookies = cookiesWith(NEW_KEY);
const sent = (value: string) => `${COOKIE_NAME}=${value}`;

describe('Cookies of payment links', () => {
  it('know their payer again', () => {
    const fresh = cookies.cookieFor(undefined, CODE);

    const again = cookies.cookieFor(`theme=dark; ${sent(fresh.value)}; last=1`, CODE);

    expect([fresh.isSet, fresh.countedAs]).toEqual([false, CODE]);
    expect(again).toEqual({ ...fresh, isSet: true, countedAs: fresh.payerSecret });
  });

  it('differ from payer to payer and are never guessable', () => {
    const secrets = Array.from({ length: 50 }, () => cookies.cookieFor(undefined, CODE).payerSecret);

    expect(new Set(secrets).size).toBe(50);
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 24)).toBe(true);
  });

  it('are refused when they were made up', () => {
    const { payerSecret } = cookies.cookieFor(undefined, CODE);
    const { value: ofStrangers } = cookiesWith(Buffer.alloc(32, 9)).cookieFor(undefined, CODE);
    const forged = [
      `${payerSecret}.${'A'.repeat(43)}`,
      payerSecret,
      `${payerSecret}.`,
      ofStrangers,
      '',
      '.',
      '__proto__',
    ];

    for (const value of forged) {
      const answer = cookies.cookieFor(sent(value), CODE);

      expect(answer.isSet).toBe(false);
      expect(answer.payerSecret).not.toBe(payerSecret);
    }
  });

  it('are refused with any character changed', () => {
    const { value } = cookies.cookieFor(undefined, CODE);

    for (let at = 0; at < value.length; at += 1) {
      const changed = value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1);

      expect(cookies.cookieFor(sent(changed), CODE).isSet).toBe(false);
    }
  });

  it('of another link are refused', () => {
    const { value, payerSecret } = cookies.cookieFor(undefined, 'another-link-code');

    const answer = cookies.cookieFor(sent(value), CODE);

    expect(answer.isSet).toBe(false);
    expect(answer.payerSecret).not.toBe(payerSecret);
  });

  it('are refused when more stands behind them', () => {
    const { value } = cookies.cookieFor(undefined, CODE);

    expect(cookies.cookieFor(sent(value + 'A'.repeat(300)), CODE).isSet).toBe(false);
    expect(cookies.cookieFor(sent(`${value}=`), CODE).isSet).toBe(false);
  });

  it('are found behind one that somebody has planted', () => {
    const genuine = cookies.cookieFor(undefined, CODE);

    const answer = cookies.cookieFor(`${sent('planted')}; ${sent(genuine.value)}`, CODE);

    expect(answer.payerSecret).toBe(genuine.payerSecret);
  });

  it('survive a change of keys, signed anew', () => {
    const before = cookiesWith(OLD_KEY).cookieFor(undefined, CODE);

    const during = cookiesWith(NEW_KEY, OLD_KEY).cookieFor(sent(before.value), CODE);
    const after = cookiesWith(NEW_KEY).cookieFor(sent(during.value), CODE);

    expect(during).toMatchObject({ payerSecret: before.payerSecret, isSet: false });
    expect(after).toMatchObject({ payerSecret: before.payerSecret, isSet: true });
    expect(cookiesWith(NEW_KEY).cookieFor(sent(before.value), CODE).payerSecret).not.toBe(before.payerSecret);
  });

  it('reach this link’s API and page only, and no script', () => {
    const cookie = cookies.cookieFor(undefined, CODE);

    const headers = cookies.headers(cookie, CODE);

    const attributes = 'Max-Age=86400; HttpOnly; Secure; SameSite=Lax';
    expect(headers).toEqual([
      `payment_link_session=${cookie.value}; Path=/public/payment-links/${CODE}; ${attributes}`,
      `payment_link_session=${cookie.value}; Path=/link/${CODE}; ${attributes}`,
    ]);
  });
});
