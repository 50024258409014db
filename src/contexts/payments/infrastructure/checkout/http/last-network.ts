import type { Request, Response } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';

const COOKIE_NAME = 'payer_network';
const COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

/** Returns the network on which this browser last selected an asset. */
export function readLastNetwork(request: Request): string | undefined {
  return cookiesNamed(COOKIE_NAME, request.headers.cookie)[0];
}

export function rememberNetwork(response: Response, network: string | undefined): void {
  if (network === undefined) return;
  response.append(
    'Set-Cookie',
    `${COOKIE_NAME}=${network}; Path=/; Max-Age=${COOKIE_MAX_AGE_SECONDS}; HttpOnly; Secure; SameSite=Lax`,
  );
}
