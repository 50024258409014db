import type { Request, Response } from 'express';
import { cookiesNamed } from '../../../../../shared/platform/http/browsers/cookies.js';
import { digestOf } from '../../../application/secret.js';

/** `__Host-`: of this very host, whole and over TLS (or on localhost), so that no sibling of the domain plants one. */
const SESSION = '__Host-dashboard_session';
const DEVICE = '__Host-dashboard_device';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
const DEVICE_SECONDS = 180 * 86_400;

/** Ends with the browser; the database decides how long it is valid. */
export function setSessionCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${SESSION}=${token}; ${ATTRIBUTES}`);
}

export function clearSessionCookie(response: Response): void {
  response.append('Set-Cookie', `${SESSION}=; Max-Age=0; ${ATTRIBUTES}`);
}

/** @returns the digest that a session is found by, if there is exactly one cookie */
export function sessionDigestOf(request: Request): Buffer | undefined {
  return digestOfOnly(SESSION, request);
}

export function setDeviceCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${DEVICE}=${token}; Max-Age=${DEVICE_SECONDS}; ${ATTRIBUTES}`);
}

export function deviceDigestOf(request: Request): Buffer | undefined {
  return digestOfOnly(DEVICE, request);
}

function digestOfOnly(name: string, request: Request): Buffer | undefined {
  const sent = cookiesNamed(name, request.headers.cookie);
  return sent.length === 1 && sent[0] !== '' ? digestOf(sent[0]!) : undefined;
}
