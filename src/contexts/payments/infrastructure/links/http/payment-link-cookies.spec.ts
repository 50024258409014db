import { describe, expect, it } from '@jest/globals';
import { ringOfFixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { PAYMENT_LINK_COOKIE_NAME, PaymentLinkCookies } from './payment-link-cookies.js';

const CODE = 'Zr0t8pJ5cVd2mQw7LxK1Ag';
const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);

function cookiesWith(...keys: Buffer[]): PaymentLinkCookies {
  const cookieKeys = ringOfFixedKeys(...keys.map((cookieKey, index) => ({ id: `key-${index}`, cookieKey })));
  const settings = { publicUrl: 'https://api.example', checkoutHost: 'https://pay.example', wallets: [] };
  return new PaymentLinkCookies(new CheckoutSettings({ ...settings, cookieKeys }));
}

const cookies = cookiesWith(NEW_KEY);
const sent = (value: string) => `${PAYMENT_LINK_COOKIE_NAME}=${value}`;

describe('The cookie of a payment link', () => {
  it('recognizes the payer of the link', () => {
    const fresh = cookies.cookieFor(undefined, CODE);

    const again = cookies.cookieFor(`theme=dark; ${sent(fresh.value)}; last=1`, CODE);

    expect([fresh.isSet, fresh.countedAs]).toEqual([false, CODE]);
    expect(again).toEqual({ ...fresh, isSet: true, countedAs: fresh.payerSecret });
  });

  it('rejects forged cookies and those of another link', () => {
    const { payerSecret } = cookies.cookieFor(undefined, CODE);
    const { value: ofStrangers } = cookiesWith(Buffer.alloc(32, 9)).cookieFor(undefined, CODE);
    const { value: ofAnotherLink } = cookies.cookieFor(undefined, 'another-link-code');
    const { value: genuine } = cookies.cookieFor(undefined, CODE);
    const forged = [
      ...[`${payerSecret}.${'A'.repeat(43)}`, payerSecret, `${payerSecret}.`, '', '__proto__'],
      ...[ofStrangers, ofAnotherLink, genuine + 'A'.repeat(300), `${genuine}=`],
    ];

    for (const value of forged) {
      const answer = cookies.cookieFor(sent(value), CODE);

      expect(answer.isSet).toBe(false);
      expect(answer.payerSecret).not.toBe(payerSecret);
    }
  });

  it('finds the genuine cookie behind a planted one', () => {
    const genuine = cookies.cookieFor(undefined, CODE);

    const answer = cookies.cookieFor(`${sent('planted')}; ${sent(genuine.value)}`, CODE);

    expect(answer.payerSecret).toBe(genuine.payerSecret);
  });

  it('is still accepted after a key rotation, and is signed again with the new key', () => {
    const before = cookiesWith(OLD_KEY).cookieFor(undefined, CODE);

    const during = cookiesWith(NEW_KEY, OLD_KEY).cookieFor(sent(before.value), CODE);
    const after = cookiesWith(NEW_KEY).cookieFor(sent(during.value), CODE);

    expect(during).toMatchObject({ payerSecret: before.payerSecret, isSet: false });
    expect(after).toMatchObject({ payerSecret: before.payerSecret, isSet: true });
    expect(cookiesWith(NEW_KEY).cookieFor(sent(before.value), CODE).payerSecret).not.toBe(before.payerSecret);
  });

  it('restricts cookies to the API and page of the link, without access by scripts', () => {
    const cookie = cookies.cookieFor(undefined, CODE);

    const headers = cookies.setCookieHeaders(cookie, CODE);

    const attributes = 'Max-Age=86400; HttpOnly; Secure; SameSite=Lax';
    expect(headers).toEqual([
      `payment_link_session=${cookie.value}; Path=/public/payment-links/${CODE}; ${attributes}`,
      `payment_link_session=${cookie.value}; Path=/link/${CODE}; ${attributes}`,
    ]);
  });
});
