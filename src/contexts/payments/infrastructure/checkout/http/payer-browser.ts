import { createHash, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';

const COOKIE_NAME = 'payer_browser';
const VALUE = /^[A-Za-z0-9_-]{32}$/;
/** Seconds: as long as a session can be read after its end. */
const MAX_AGE = 24 * 60 * 60;

/** The secret by which a payer's browser is known on the page of one session. */
export interface PayerBrowser {
  readonly secret: string;
  /** SHA-256 of the secret, which is stored. */
  readonly digest: Buffer;
}

/** @returns undefined if the browser sends no cookie */
export function knownBrowser(request: Request): PayerBrowser | undefined {
  const secret = cookiesNamed(COOKIE_NAME, request.headers.cookie).find((value) => VALUE.test(value));
  return secret === undefined ? undefined : browserWith(secret);
}

/** The browser by its cookie, else under a new secret, which has to be set. */
export function browserOf(request: Request): PayerBrowser {
  return knownBrowser(request) ?? browserWith(randomBytes(24).toString('base64url'));
}

/** `Set-Cookie` for pages below this path. */
export function browserCookie({ secret }: PayerBrowser, path: string): string {
  return `${COOKIE_NAME}=${secret}; Path=${path}; Max-Age=${MAX_AGE}; HttpOnly; Secure; SameSite=Lax`;
}

function browserWith(secret: string): PayerBrowser {
  return { secret, digest: createHash('sha256').update(secret).digest() };
}
