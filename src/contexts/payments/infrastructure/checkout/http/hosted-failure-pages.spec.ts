import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { CachedCheckoutReader } from '../polling/cached-checkout-reader.js';
import { HostedFailurePages } from './hosted-failure-pages.js';

/** Returns the page to which a rejected request is redirected; undefined if it receives an error page. */
function ledTo(method: string, originalUrl: string): string | undefined {
  let to: string | undefined;
  const live = { frameOriginsOf: () => [] } as unknown as CachedCheckoutReader;
  const { pathname: path, searchParams } = new URL(originalUrl, 'https://pay.example');
  const query = Object.fromEntries(searchParams);
  const response: Record<string, unknown> = { redirect: (_: number, page: string) => (to = page) };
  for (const name of ['setHeader', 'removeHeader', 'vary', 'status', 'type', 'send'])
    response[name] = () => response;
  const request = { method, path, query, originalUrl, acceptsLanguages: () => 'en', headers: {} };
  response['req'] = request;
  new HostedFailurePages(live).send(
    { status: 400, requestId: '1' } as Parameters<HostedFailurePages['send']>[0],
    invalidField('pay', 'one_of', 'No.'),
    request as unknown as Request,
    response as unknown as Response,
  );
  return to;
}

describe('An invalid request to a page of the payer', () => {
  it.each([
    ['POST', '/checkout/id?pay=code', '/checkout/id?pay=code'],
    ['POST', '/checkout/id/sandbox-payment?pay=browser', '/checkout/id?pay=browser'],
    ['GET', '/checkout/id?pay=code&tracker=1', '/checkout/id?pay=code'],
    ['GET', '/checkout/id?pay=elsewhere', '/checkout/id'],
    ['GET', '/checkout/id?pay=code', undefined],
    ['GET', '/checkout/id', undefined],
    ['GET', '/link/id?pay=code', '/link/id'],
  ])(
    'shows the page of the same payment method and never redirects to itself: %s %s',
    (method, url, page) => {
      expect(ledTo(method, url)).toBe(page);
    },
  );
});
