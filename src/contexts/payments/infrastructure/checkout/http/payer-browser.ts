import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';

const COOKIE_NAME = 'payer_browser';
const SECRET_PATTERN = /^[A-Za-z0-9_-]{32}$/;
/** Lasts as long as a session is readable after its end. */
const COOKIE_MAX_AGE_SECONDS = 24 * 60 * 60;

export interface PayerBrowser {
  readonly secret: string;
  /** The database stores only this digest. */
  readonly digest: Buffer;
}

export function readPayerBrowser(request: Request): PayerBrowser | undefined {
  const secret = cookiesNamed(COOKIE_NAME, request.headers.cookie).find((value) =>
    SECRET_PATTERN.test(value),
  );
  return secret === undefined ? undefined : payerBrowserOf(secret);
}

/** The caller must set a new secret as a cookie. */
export function readOrCreatePayerBrowser(request: Request): PayerBrowser {
  return readPayerBrowser(request) ?? payerBrowserOf(randomBytes(24).toString('base64url'));
}

export function payerBrowserCookie({ secret }: PayerBrowser, path: string): string {
  return `${COOKIE_NAME}=${secret}; Path=${path}; Max-Age=${COOKIE_MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`;
}

function payerBrowserOf(secret: string): PayerBrowser {
  return { secret, digest: createHash('sha256').update(secret).digest() };
}
