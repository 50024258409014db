import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';

const COOKIE_NAME = 'payer_browser';
const VALUE = /^[A-Za-z0-9_-]{32}$/;
/** Cookie lifetime in seconds: as long as a session is readable after its end. */
const MAX_AGE = 24 * 60 * 60;

export interface PayerBrowser {
  readonly secret: string;
  /** SHA-256 of the secret. The database stores only this digest. */
  readonly digest: Buffer;
}

/** @returns undefined if the browser sends no cookie */
export function knownBrowser(request: Request): PayerBrowser | undefined {
  const secret = cookiesNamed(COOKIE_NAME, request.headers.cookie).find((value) => VALUE.test(value));
  return secret === undefined ? undefined : browserWith(secret);
}

/** Reads the browser's cookie, or creates a new secret, which the caller must set as a cookie. */
export function browserOf(request: Request): PayerBrowser {
  return knownBrowser(request) ?? browserWith(randomBytes(24).toString('base64url'));
}

/** `Set-Cookie` header for pages below `path`. */
export function browserCookie({ secret }: PayerBrowser, path: string): string {
  return `${COOKIE_NAME}=${secret}; Path=${path}; Max-Age=${MAX_AGE}; HttpOnly; Secure; SameSite=Lax`;
}

function browserWith(secret: string): PayerBrowser {
  return { secret, digest: createHash('sha256').update(secret).digest() };
}
