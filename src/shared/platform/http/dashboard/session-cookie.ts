import type { Response } from 'express';

/** `__Host-`: of this very host, whole and over TLS (or on localhost), so that no sibling of the domain plants one. */
export const SESSION_COOKIE = '__Host-dashboard_session';
export const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Ends with the browser; the database decides how long it is valid. */
export function setSessionCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${SESSION_COOKIE}=${token}; ${COOKIE_ATTRIBUTES}`);
}
