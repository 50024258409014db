import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import { isKeyAcceptedAt } from '#shared/kernel/signing-key-ring.js';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';

export const PAYMENT_LINK_COOKIE_NAME = 'payment_link_session';
/** Lasts as long as a session is readable after its end. */
const COOKIE_MAX_AGE_SECONDS = 24 * 60 * 60;
const SECRET_BYTES = 24;
/** The secret and its HMAC-SHA256, both in base64url. */
const COOKIE_VALUE = /^([A-Za-z0-9_-]{32})\.[A-Za-z0-9_-]{43}$/;
/** A browser sends one cookie; a sibling domain may have planted others. */
const MAX_COOKIES_READ = 4;
export interface PaymentLinkCookie {
  readonly payerSecret: string;
  readonly value: string;
  /** If false, the response must set the cookie. */
  readonly isSet: boolean;
  /** Key of rate limits. Payers with a cookie do not share a limit with other users of their IP address. */
  readonly countedAs: string;
}

/** The HMAC in a cookie keeps an attacker from choosing a payer's secret. */
@Injectable()
export class PaymentLinkCookies {
  constructor(private readonly settings: CheckoutSettings) {}

  cookieFor(header: string | undefined, code: string): PaymentLinkCookie {
    for (const sent of cookiesNamed(PAYMENT_LINK_COOKIE_NAME, header).slice(0, MAX_COOKIES_READ)) {
      const payerSecret = COOKIE_VALUE.exec(sent)?.[1];
      if (payerSecret === undefined || !this.isGenuine(sent, code, payerSecret)) continue;
      const value = this.sign(code, payerSecret);
      return { payerSecret, value, isSet: value === sent, countedAs: payerSecret };
    }
    const payerSecret = randomBytes(SECRET_BYTES).toString('base64url');
    return { payerSecret, value: this.sign(code, payerSecret), isSet: false, countedAs: code };
  }

  /** Restricted to the API and the page of this link. */
  setCookieHeaders({ value }: PaymentLinkCookie, code: string): string[] {
    const path = encodeURIComponent(code);
    return [`/public/payment-links/${path}`, `/link/${path}`].map(
      (scope) =>
        `${PAYMENT_LINK_COOKIE_NAME}=${value}; Path=${scope}; Max-Age=${COOKIE_MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`,
    );
  }

  private isGenuine(sent: string, code: string, payerSecret: string): boolean {
    const bytes = Buffer.from(sent);
    return this.settings.cookieKeys.allKeys.some(
      (key) =>
        isKeyAcceptedAt(key, Date.now()) &&
        timingSafeEqual(bytes, Buffer.from(signedCookieValue(code, payerSecret, key.cookieKey))),
    );
  }

  private sign(code: string, payerSecret: string): string {
    const now = new Date(Date.now());
    const key = this.settings.cookieKeys.signingKeyAt(now, now);
    if (key === undefined) throw unavailable('Every key that signs cookies has expired.');
    return signedCookieValue(code, payerSecret, key.cookieKey);
  }
}

function signedCookieValue(code: string, payerSecret: string, key: Buffer): string {
  const mac = createHmac('sha256', key)
    .update(`${PAYMENT_LINK_COOKIE_NAME} ${payerSecret} ${code}`)
    .digest('base64url');
  return `${payerSecret}.${mac}`;
}
