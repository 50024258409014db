import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ERROR_CODES } from '../errors/error-codes.js';
import { hasPrefix } from './allowed-origin.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** A page of another site made the visitor's browser send the request. */
export class CrossSiteRefused extends DomainError {
  constructor() {
    super('forbidden', 'cross_site_refused', ERROR_CODES.cross_site_refused.sentence);
  }
}

/**
 * Rejects requests that pages of other sites send, on paths that use a cookie or no credential. The cookie attribute
 * `SameSite` is not enough: it withholds the cookie, but the answer could still set cookies.
 * @param paths path prefixes
 * @param ownOrigins origins of this service's own pages
 * @param provenPaths exempt paths: the request body authenticates itself, and no cookie is read
 */
export function refuseCrossSite(
  paths: readonly string[],
  ownOrigins: readonly string[],
  provenPaths: readonly (RegExp | undefined)[] = [],
): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const isOpen =
      SAFE_METHODS.includes(request.method) ||
      !hasPrefix(request.path, paths) ||
      (request.method === 'POST' && provenPaths.some((proven) => proven?.test(request.path)));
    if (isOpen || !isCrossSite(request, ownOrigins)) return next();
    throw new CrossSiteRefused();
  };
}

/**
 * Detects another site by headers that its pages cannot forge (Fetch Metadata; Fetch standard, "Origin header").
 * Clients other than browsers send neither header. Browsers without `Sec-Fetch-Site` send `Origin: null` for our forms,
 * because our pages send no referrer.
 */
function isCrossSite({ headers }: IncomingMessage, ownOrigins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && ownOrigins.includes(origin)) return false;
  if (site !== undefined) return site === 'cross-site';
  return origin !== undefined && origin !== 'null';
}
