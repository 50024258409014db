import type { Request, Response } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';
import { COOKIE_ATTRIBUTES, SESSION_COOKIE } from '#shared/platform/http/dashboard/session-cookie.js';
import { digestOf } from '#contexts/identity/application/secret.js';

const DEVICE_COOKIE = '__Host-dashboard_device';
const DEVICE_SECONDS = 180 * 86_400;

export function clearSessionCookie(response: Response): void {
  response.append('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`);
}

/** @returns the digest that a session is found by, if there is exactly one cookie */
export function sessionDigestOf(request: Request): Buffer | undefined {
  return digestOfOnly(SESSION_COOKIE, request);
}

export function setDeviceCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${DEVICE_COOKIE}=${token}; Max-Age=${DEVICE_SECONDS}; ${COOKIE_ATTRIBUTES}`);
}

export function deviceDigestOf(request: Request): Buffer | undefined {
  return digestOfOnly(DEVICE_COOKIE, request);
}

function digestOfOnly(name: string, request: Request): Buffer | undefined {
  const sent = cookiesNamed(name, request.headers.cookie);
  return sent.length === 1 && sent[0] !== '' ? digestOf(sent[0]!) : undefined;
}
