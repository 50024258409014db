import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { PAGE_LANGUAGES, type PageLanguage } from '#shared/web/messages/languages.js';
import { hasPrefix } from './cors-policy.js';
import { cookiesNamed } from './cookies.js';

const COOKIE_NAME = '__Host-language';
/** One year. Another site can frame a checkout page: `Partitioned` keeps the cookie within that site. */
const COOKIE_ATTRIBUTES = 'Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=None; Partitioned';

/** Returns the language that the reader selected, else the best one that the browser accepts. */
export function pageLanguageOf(request: Request): PageLanguage {
  const [selected] = cookiesNamed(COOKIE_NAME, request.headers.cookie);
  return findLanguage(selected) ?? findLanguage(request.acceptsLanguages([...PAGE_LANGUAGES])) ?? 'en';
}

/** Remembers the language in the query parameter `lang`, and redirects to the same page without the parameter. */
export function switchLanguage(pages: readonly string[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { lang, ...others } = request.query as Record<string, string>;
    const language = findLanguage(lang);
    if (language === undefined || request.method !== 'GET' || !hasPrefix(request.path, pages)) return next();
    response.append('Set-Cookie', `${COOKIE_NAME}=${language}; ${COOKIE_ATTRIBUTES}`);
    // A checkout page keeps its opener only if the redirect to it also does.
    response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
    const query = new URLSearchParams(others).toString();
    response.redirect(303, query === '' ? request.path : `${request.path}?${query}`);
  };
}

/** Adds the query of a page to its links that switch the language. A form's answer has no query to return to. */
export function addQueryToLanguageLinks(html: string, { method, query }: Request): string {
  const { lang: _, ...others } = query as Record<string, string>;
  const kept = new URLSearchParams(others).toString().replaceAll('&', '&amp;');
  if (method !== 'GET' || kept === '') return html;
  return html.replaceAll('href="?lang=', `href="?${kept}&amp;lang=`);
}

function findLanguage(text: string | false | undefined): PageLanguage | undefined {
  return PAGE_LANGUAGES.find((language) => language === text);
}
