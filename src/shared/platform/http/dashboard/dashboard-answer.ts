import type { Response, Request } from 'express';
import type { VNode } from 'preact';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import {
  DASHBOARD_ASSETS,
  type Installation,
  withInstallation,
} from '#shared/web/dashboard/dashboard-page.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { SelfSendingAnswer } from '../answers/answer.js';
import { pageLanguageOf } from '../browsers/page-language.js';
import { sendHtmlPage } from '../browsers/send-html-page.js';
import type { FormRefusal } from './form-refusal.js';
import { cookiesNamed } from '../browsers/cookies.js';

type StatusOrRefusal = number | Pick<FormRefusal, 'status' | 'retryAfterSeconds'>;

class PageResponse extends SelfSendingAnswer {
  constructor(
    private readonly page: VNode,
    private readonly reason: StatusOrRefusal,
  ) {
    super();
  }

  sendTo(response: Response): void {
    sendDashboardPage(response, this.page, this.reason);
  }
}

class Redirection extends SelfSendingAnswer {
  constructor(private readonly path: string) {
    super();
  }

  sendTo(response: Response): void {
    response.redirect(303, this.path);
  }
}

/** Name of the Express setting with the `Installation`. */
export const INSTALLATION_SETTING = 'dashboard installation';

const PAGE_ASSETS = { ...DASHBOARD_ASSETS, ownImages: true };

export function showPage(page: VNode, reason: StatusOrRefusal = 200): SelfSendingAnswer {
  return new PageResponse(page, reason);
}

/** Redirects with status 303, so that reloading the page does not post the form again. */
export function seeOther(path: string): SelfSendingAnswer {
  return new Redirection(path);
}

/** For handlers that continue after the answer or return nothing. */
export function sendDashboardPage(response: Response, page: VNode, reason: StatusOrRefusal = 200): void {
  const { status, retryAfterSeconds } = typeof reason === 'number' ? { status: reason } : reason;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  const language = pageLanguageOf(response.req);
  const installation = response.app.get(INSTALLATION_SETTING) as Installation | undefined;
  const html = htmlDocument(withLanguage(language, withInstallation(installation, page)));
  sendHtmlPage(response, { html, language, assets: PAGE_ASSETS, status });
}

/** `__Host-` keeps a sibling domain from setting the cookie. */
export const SESSION_COOKIE = '__Host-dashboard_session';
export const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Sets a cookie that lasts until the browser closes. The database decides how long the session is valid. */
export function setSessionCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${SESSION_COOKIE}=${token}; ${COOKIE_ATTRIBUTES}`);
}

const SECRET_PAGE_COOKIE = '__Host-dashboard_shown_once';

/** The token is sent in a cookie, because logs and browser histories record URLs. */
export function redirectToSecretPage(path: string, token: string, response: Response): SelfSendingAnswer {
  response.append('Set-Cookie', `${SECRET_PAGE_COOKIE}=${token}; Max-Age=300; ${COOKIE_ATTRIBUTES}`);
  return seeOther(path);
}

export const SecretPageToken = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => {
    const http = context.switchToHttp();
    const [token] = cookiesNamed(SECRET_PAGE_COOKIE, http.getRequest<Request>().headers.cookie);
    if (token !== undefined)
      http
        .getResponse<Response>()
        .append('Set-Cookie', `${SECRET_PAGE_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`);
    return token;
  },
);
