import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ERROR_CODES } from '../errors/error-codes.js';
import { hasPrefix } from './cors-policy.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export class CrossSiteRefused extends DomainError {
  constructor() {
    super('forbidden', 'cross_site_refused', ERROR_CODES.cross_site_refused.sentence);
  }
}

/**
 * `SameSite` only withholds the cookie; the answer could still set cookies. @param provenPaths exempt paths: the
 * request body authenticates itself, and no cookie is read
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
 * Uses headers that pages cannot forge (Fetch Metadata; Fetch standard, "Origin header"). Browsers without
 * `Sec-Fetch-Site` send `Origin: null` for our forms, because our pages send no referrer.
 */
function isCrossSite({ headers }: IncomingMessage, ownOrigins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && ownOrigins.includes(origin)) return false;
  if (site !== undefined) return site === 'cross-site';
  return origin !== undefined && origin !== 'null';
}
