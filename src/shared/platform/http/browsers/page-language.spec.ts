import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { addQueryToLanguageLinks, pageLanguageOf, switchLanguage } from './page-language.js';

/** Returns the redirect and its cookies; undefined if the request continues. */
function switched(method: string, url: string): { to: string; cookies: string[] } | undefined {
  const { pathname: path, searchParams } = new URL(url, 'https://pay.example');
  const cookies: string[] = [];
  let to: string | undefined;
  const response = {
    append: (_: string, cookie: string) => cookies.push(cookie),
    setHeader: () => undefined,
    redirect: (_: number, location: string) => (to = location),
  };
  switchLanguage(['/checkout/'])(
    { method, path, query: Object.fromEntries(searchParams) } as unknown as Request,
    response as unknown as Response,
    () => undefined,
  );
  return to === undefined ? undefined : { to, cookies };
}

describe('The language of a page', () => {
  const languageFor = (cookie: string | undefined) =>
    pageLanguageOf({ headers: { cookie }, acceptsLanguages: () => 'pt' } as unknown as Request);

  it('follows the choice of the reader, then the languages of the browser', () => {
    expect(['__Host-language=es', '__Host-language=xx', undefined].map(languageFor)).toEqual([
      ...['es', 'pt', 'pt'],
    ]);
  });

  it('is remembered by a cookie, with a redirect to the same page and its other parameters', () => {
    expect(switched('GET', '/checkout/id?lang=es&pay=code')).toEqual({
      to: '/checkout/id?pay=code',
      cookies: [expect.stringMatching(/^__Host-language=es; Path=\/; .*HttpOnly; Secure/)],
    });
    expect(switched('GET', '/checkout/id?lang=pt')!.to).toBe('/checkout/id');
  });

  it('keeps the parameters of the page in the links that switch it', () => {
    const linksAt = (method: string, query: object) =>
      addQueryToLanguageLinks('<a href="?lang=es"><a href="/app?lang=es">', {
        method,
        query,
      } as unknown as Request);

    const switched = '<a href="?pay=code&amp;q=%22%3E%24%26&amp;lang=es"><a href="/app?lang=es">';
    expect(linksAt('GET', { pay: 'code', q: '">$&', lang: 'xx' })).toBe(switched);
    for (const [method, query] of [
      ['GET', {}],
      ['POST', { pay: 'code' }],
    ] as const)
      expect(linksAt(method, query)).toBe('<a href="?lang=es"><a href="/app?lang=es">');
  });

  it.each([
    ['POST', '/checkout/id?lang=es'],
    ['GET', '/checkout/id?lang=//evil.example'],
    ['GET', '/v1/pos?lang=es'],
    ['GET', '/checkout/id'],
  ])('stays the same for another method, language or path: %s %s', (method, url) => {
    expect(switched(method, url)).toBeUndefined();
  });
});
