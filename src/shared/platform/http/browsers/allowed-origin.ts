import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { hasPrefix } from '../server/path-prefix.js';

const EXPOSED = 'etag, retry-after, x-request-id';
const PREFLIGHT: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT',
  'Access-Control-Allow-Headers': 'content-type, if-none-match, x-request-id',
  'Access-Control-Max-Age': '600',
};

/**
 * What one other origin's pages are allowed, the hosted checkout's: to call with cookies and read the answers (Fetch
 * standard, section 3.3). Any other origin gets no such header, so its pages can read nothing; its preflight is
 * answered like any unknown route. What was sent is only ever compared, never given back.
 */
export class AllowedOrigin {
  private readonly forOthers: readonly string[];
  private readonly forAllowed: readonly string[];

  /** @param origin scheme, host and port as browsers send it; undefined allows none */
  constructor(private readonly origin: string | undefined) {
    // Whom an answer is for decides about its headers, so no cache may give it to others; also not the refusal.
    this.forOthers = origin === undefined ? [] : ['Vary', 'Origin'];
    this.forAllowed = [
      ...this.forOthers,
      ...['Access-Control-Allow-Origin', origin ?? ''],
      ...['Access-Control-Allow-Credentials', 'true'],
      ...['Access-Control-Expose-Headers', EXPOSED],
    ];
  }

  allows({ headers }: IncomingMessage): boolean {
    return this.origin !== undefined && headers.origin === this.origin;
  }

  /** What the answer to this request carries: names and values in turn. */
  headersFor(request: IncomingMessage): readonly string[] {
    return this.allows(request) ? this.forAllowed : this.forOthers;
  }
}

/**
 * Puts these headers on every answer below these paths, failures included, and answers the allowed origin's preflights.
 * @param paths what the paths begin with
 */
export function allowOrigin(origin: string | undefined, paths: readonly string[]): RequestHandler {
  const allowed = new AllowedOrigin(origin);
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasPrefix(request.path, paths)) return next();
    const headers = allowed.headersFor(request);
    for (let n = 0; n < headers.length; n += 2) response.setHeader(headers[n]!, headers[n + 1]!);
    const preflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (!preflight || !allowed.allows(request)) return next();
    for (const [name, value] of Object.entries(PREFLIGHT)) response.setHeader(name, value);
    response.status(204).end();
  };
}
