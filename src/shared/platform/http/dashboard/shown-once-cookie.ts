import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { SelfSent } from '../answers/self-sent.js';
import { cookiesNamed } from '../browsers/cookies.js';
import { COOKIE_ATTRIBUTES, seeOther } from './dashboard-answer.js';

const COOKIE = '__Host-dashboard_shown_once';

/** Leads to the page that shows a secret once. What opens it travels in a cookie: addresses stand in logs and histories. */
export function showOnceAt(path: string, token: string, response: Response): SelfSent {
  response.append('Set-Cookie', `${COOKIE}=${token}; Max-Age=300; ${COOKIE_ATTRIBUTES}`);
  return seeOther(path);
}

/** The handler gets what opens the secret that its page shows once, if the browser has it; the browser forgets it. */
export const OnceToken = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined => {
  const http = context.switchToHttp();
  const [token] = cookiesNamed(COOKIE, http.getRequest<Request>().headers.cookie);
  if (token !== undefined)
    http.getResponse<Response>().append('Set-Cookie', `${COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`);
  return token;
});
