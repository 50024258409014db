import type { Request, Response } from 'express';
import { contentSecurityPolicy } from '#shared/web/document/content-security-policy.js';
import { sendPrepared, type PreparedAnswer } from '../answers/prepared-answer.js';
import type { PageAssets } from '#shared/web/document/inline-asset.js';
import { PAGE_LANGUAGES, type PageLanguage } from '#shared/web/messages/languages.js';

export interface PageAnswer {
  /** Prepared where it is the same for everybody, with status 200. */
  readonly html: string | PreparedAnswer;
  readonly language: PageLanguage;
  /** The parts that the page inlines. */
  readonly assets: PageAssets;
  readonly status?: number;
  /** Sites that may show this page in a frame, or open it and be posted to; none unless named. */
  readonly frameOrigins?: readonly string[];
  /** Hashes of the scripts that it may load, as source expressions. */
  readonly loadedScripts?: readonly string[];
}

/** The reader's, by `Accept-Language`; English where none fits. */
export function languageOf(request: Request): PageLanguage {
  const best = request.acceptsLanguages([...PAGE_LANGUAGES]);
  return PAGE_LANGUAGES.find((language) => language === best) ?? 'en';
}

/** Answers with a whole document under its own content security policy. */
export function sendPage(response: Response, page: PageAnswer): void {
  const policy = contentSecurityPolicy(page.assets, page.frameOrigins ?? [], page.loadedScripts);
  response.removeHeader('X-Frame-Options');
  response.setHeader('Content-Security-Policy', policy);
  keepOpener(response, page.frameOrigins ?? []);
  response.setHeader('Content-Language', page.language);
  response.vary('Accept-Language');
  if (typeof page.html !== 'string') return sendPrepared(response, page.html);
  response
    .status(page.status ?? 200)
    .type('html')
    .send(page.html);
}

/**
 * A page that posts to the sites that open it is not cut off from its opener (HTML standard, "Cross-origin opener policies"). A
 * redirect on its way cuts it off too.
 * @param sites that the page posts to; without any, the opener is cut off
 */
export function keepOpener(response: Response, sites: readonly string[]): void {
  if (sites.length > 0) response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
}
