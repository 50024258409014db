import type { Request, Response } from 'express';
import { scriptHash, styleHash } from '../pages/page-assets.js';
import { PAGE_LANGUAGES, type PageLanguage } from '../pages/messages.js';

export interface PageAnswer {
  readonly html: string;
  readonly language: PageLanguage;
  readonly status?: number;
  /** Sites that may show this page in a frame; nobody unless named. */
  readonly frameOrigins?: readonly string[];
}

/** The payer's, by `Accept-Language`; English where none fits. */
export function languageOf(request: Request): PageLanguage {
  const best = request.acceptsLanguages([...PAGE_LANGUAGES]);
  return PAGE_LANGUAGES.find((language) => language === best) ?? 'en';
}

/** A page that may load and call nothing but its own origin, and runs only its own script and style. */
export function sendPage(response: Response, page: PageAnswer): void {
  const ancestors = page.frameOrigins?.length ? page.frameOrigins.join(' ') : "'none'";
  response.removeHeader('X-Frame-Options');
  response.setHeader(
    'Content-Security-Policy',
    [
      "default-src 'none'",
      `style-src ${styleHash}`,
      `script-src ${scriptHash}`,
      'img-src data:',
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      `frame-ancestors ${ancestors}`,
    ].join('; '),
  );
  response.setHeader('Content-Language', page.language);
  response.vary('Accept-Language');
  response
    .status(page.status ?? 200)
    .type('html')
    .send(page.html);
}
