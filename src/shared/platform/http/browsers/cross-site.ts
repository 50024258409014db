import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { ERROR_CODES } from '../errors/error-codes.js';
import { hasPrefix } from './allowed-origin.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** The page of another site has sent a request in a visitor's name. */
export class CrossSiteRefused extends DomainError {
  constructor() {
    super('forbidden', 'cross_site_refused', ERROR_CODES.cross_site_refused.sentence);
  }
}

/**
 * Refuses what other sites' pages send where browsers are let in by a cookie or by nothing. `SameSite` keeps the cookie
 * off such a request but not the answer's cookie off the visitor.
 * @param paths what the paths begin with
 * @param ownOrigins of this service's own pages
 * @param provenPaths where what is posted proves itself, and no cookie is read
 */
export function refuseCrossSite(
  paths: readonly string[],
  ownOrigins: readonly string[],
  provenPaths: readonly (RegExp | undefined)[] = [],
): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const isOpen =
      READING.includes(request.method) ||
      !hasPrefix(request.path, paths) ||
      (request.method === 'POST' && provenPaths.some((proven) => proven?.test(request.path)));
    if (isOpen || !isCrossSite(request, ownOrigins)) return next();
    throw new CrossSiteRefused();
  };
}

/**
 * Judges by what browsers send and pages cannot forge (Fetch Metadata; Fetch standard, "Origin header"). Programs send
 * neither. Browsers that do not send the site send `null` for the origin of our own forms, whose pages send no
 * referrer.
 */
function isCrossSite({ headers }: IncomingMessage, ownOrigins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && ownOrigins.includes(origin)) return false;
  if (site !== undefined) return site === 'cross-site';
  return origin !== undefined && origin !== 'null';
}
