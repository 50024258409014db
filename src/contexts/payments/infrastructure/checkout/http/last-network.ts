import type { Request, Response } from 'express';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';

const COOKIE_NAME = '__Host-network';
/** One year. Another site can frame a checkout page: `Partitioned` keeps the cookie within that site. */
const COOKIE_ATTRIBUTES = 'Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=None; Partitioned';

/** Returns the network on which this browser last selected an asset. */
export function readLastNetwork(request: Request): string | undefined {
  return cookiesNamed(COOKIE_NAME, request.headers.cookie)[0];
}

export function rememberNetwork(response: Response, network: string | undefined): void {
  if (network === undefined) return;
  response.append('Set-Cookie', `${COOKIE_NAME}=${network}; ${COOKIE_ATTRIBUTES}`);
}
