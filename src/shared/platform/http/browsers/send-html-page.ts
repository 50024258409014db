import type { Response } from 'express';
import { contentSecurityPolicy } from '#shared/web/document/content-security-policy.js';
import { addQueryToLanguageLinks } from './page-language.js';
import { sendPrepared, type PreparedAnswer } from '../answers/prepared-answer.js';
import type { PageAssets } from '#shared/web/document/inline-asset.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';

export interface HtmlPageAnswer {
  readonly html: string | PreparedAnswer;
  readonly language: PageLanguage;
  readonly assets: PageAssets;
  readonly status?: number;
  /** Sites that may frame this page, or open it and receive its messages. Default: none. */
  readonly frameOrigins?: readonly string[];
  readonly loadedScripts?: readonly string[];
}

export function sendHtmlPage(response: Response, page: HtmlPageAnswer): void {
  const policy = contentSecurityPolicy(page.assets, page.frameOrigins ?? [], page.loadedScripts);
  response.removeHeader('X-Frame-Options');
  response.setHeader('Content-Security-Policy', policy);
  allowCrossOriginOpener(response, page.frameOrigins ?? []);
  response.setHeader('Content-Language', page.language);
  response.vary('Accept-Language, Cookie');
  if (typeof page.html !== 'string') return sendPrepared(response, page.html);
  response
    .status(page.status ?? 200)
    .type('html')
    .send(addQueryToLanguageLinks(page.html, response.req));
}

/**
 * See HTML standard, "Cross-origin opener policies". Redirects that lead to the page need the same header. @param
 * sites may receive messages; if empty, the opener is cut off
 */
export function allowCrossOriginOpener(response: Response, sites: readonly string[]): void {
  if (sites.length > 0) response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
}
