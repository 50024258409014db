import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import { isAcceptedAt } from '#shared/kernel/signing-key-ring.js';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';

export const COOKIE_NAME = 'payment_link_session';
/** Seconds. Equals the time for which a session is readable after its end. */
const MAX_AGE = 24 * 60 * 60;
const SECRET_BYTES = 24;
/** The secret and its HMAC-SHA256, both in base64url. */
const VALUE = /^([A-Za-z0-9_-]{32})\.[A-Za-z0-9_-]{43}$/;
/** A browser sends one cookie. Additional cookies are planted by a sibling domain. */
const MAX_COOKIES_READ = 4;
export interface PaymentLinkCookie {
  /** Identifies this payer among the link's payers. */
  readonly payerSecret: string;
  readonly value: string;
  /** True if the caller sent this exact value. Otherwise the value is new or newly signed, and must be set. */
  readonly isSet: boolean;
  /** Name for the rate limit: a payer with a cookie does not share the limit with other users of the same IP address. */
  readonly countedAs: string;
}

/**
 * Cookies that identify the payers of a payment link. A cookie contains a secret and its HMAC, which proves that this service created
 * the secret for this link, so that an attacker cannot choose a payer's secret.
 */
@Injectable()
export class PaymentLinkCookies {
  constructor(private readonly settings: CheckoutSettings) {}

  /**
   * @param header raw `Cookie` header
   * @returns the caller's cookie if it is genuine, otherwise a new cookie
   */
  cookieFor(header: string | undefined, code: string): PaymentLinkCookie {
    for (const sent of cookiesNamed(COOKIE_NAME, header).slice(0, MAX_COOKIES_READ)) {
      const payerSecret = VALUE.exec(sent)?.[1];
      if (payerSecret === undefined || !this.isGenuine(sent, code, payerSecret)) continue;
      const value = this.sign(code, payerSecret);
      return { payerSecret, value, isSet: value === sent, countedAs: payerSecret };
    }
    const payerSecret = randomBytes(SECRET_BYTES).toString('base64url');
    return { payerSecret, value: this.sign(code, payerSecret), isSet: false, countedAs: code };
  }

  /**
   * `Set-Cookie` headers restricted to the API and the page of this link.
   * @param code code of an existing link
   */
  headers({ value }: PaymentLinkCookie, code: string): string[] {
    const path = encodeURIComponent(code);
    return [`/public/payment-links/${path}`, `/link/${path}`].map(
      (scope) => `${COOKIE_NAME}=${value}; Path=${scope}; Max-Age=${MAX_AGE}; HttpOnly; Secure; SameSite=Lax`,
    );
  }

  private isGenuine(sent: string, code: string, payerSecret: string): boolean {
    const bytes = Buffer.from(sent);
    return this.settings.cookieKeys.allKeys.some(
      (key) =>
        isAcceptedAt(key, Date.now()) &&
        timingSafeEqual(bytes, Buffer.from(signed(code, payerSecret, key.cookieKey))),
    );
  }

  private sign(code: string, payerSecret: string): string {
    const now = new Date(Date.now());
    const key = this.settings.cookieKeys.signingKeyAt(now, now);
    if (key === undefined) throw unavailable('Every key that signs cookies has expired.');
    return signed(code, payerSecret, key.cookieKey);
  }
}

function signed(code: string, payerSecret: string, key: Buffer): string {
  const mac = createHmac('sha256', key).update(`${COOKIE_NAME} ${payerSecret} ${code}`).digest('base64url');
  return `${payerSecret}.${mac}`;
}
