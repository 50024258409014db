import type { Response } from 'express';
import type { VNode } from 'preact';
import { DASHBOARD_ASSETS } from '#shared/web/dashboard/dashboard-page.js';
import { inLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { SelfSent } from '../answers/self-sent.js';
import { languageOf, sendPage } from '../browsers/send-page.js';
import type { FormRefusal } from './form-refusal.js';

/** The status, or the refusal that has it, with the time to wait for where there is one. */
type Reason = number | Pick<FormRefusal, 'status' | 'retryAfterSeconds'>;

class ShownPage extends SelfSent {
  constructor(
    private readonly page: VNode,
    private readonly reason: Reason,
  ) {
    super();
  }

  sendBy(response: Response): void {
    sendDashboardPage(response, this.page, this.reason);
  }
}

class Redirection extends SelfSent {
  constructor(private readonly path: string) {
    super();
  }

  sendBy(response: Response): void {
    response.redirect(303, this.path);
  }
}

/** Merchants see their logos. */
const ASSETS = { ...DASHBOARD_ASSETS, ownImages: true };

/** The answer is a page of the dashboard. */
export function showPage(page: VNode, reason: Reason = 200): SelfSent {
  return new ShownPage(page, reason);
}

/** The browser gets this path next: a form that was accepted is not sent again when its page is loaded anew. */
export function seeOther(path: string): SelfSent {
  return new Redirection(path);
}

/** Sends a page, in the reader's language, at once; for handlers that work on after their answer, and where nothing is returned. */
export function sendDashboardPage(response: Response, page: VNode, reason: Reason = 200): void {
  const { status, retryAfterSeconds } = typeof reason === 'number' ? { status: reason } : reason;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  const language = languageOf(response.req);
  const html = htmlDocument(inLanguage(language, page));
  sendPage(response, { html, language, assets: ASSETS, status });
}

/** `__Host-`: of this very host, whole and over TLS (or on localhost), so that no sibling of the domain plants one. */
export const SESSION_COOKIE = '__Host-dashboard_session';
export const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Ends with the browser; the database decides how long it is valid. */
export function setSessionCookie(response: Response, token: string): void {
  response.append('Set-Cookie', `${SESSION_COOKIE}=${token}; ${COOKIE_ATTRIBUTES}`);
}
