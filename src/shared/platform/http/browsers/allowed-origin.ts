import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const EXPOSED = [
  'Access-Control-Expose-Headers',
  'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
];
const READING = ['GET', 'HEAD'];
const PREFLIGHT: Readonly<Record<string, string>> = {
  // The official x402 client sends `Access-Control-Expose-Headers`, a response header, with its payment request.
  'Access-Control-Allow-Headers':
    'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
  'Access-Control-Max-Age': '600',
};

/**
 * Decides which cross-origin requests are allowed (Fetch standard, section 3.3). Pages of one configured origin, the hosted
 * checkout, may call with cookies and read the answers. Pages of other origins may read without cookies, so that browser
 * wallets work. They may only post to proven paths, without cookies: a payer's signature proves such a request. The sent
 * origin is compared but never echoed.
 */
export class AllowedOrigin {
  private readonly forOthers: readonly string[];
  private readonly forReaders: readonly string[];
  private readonly forAllowed: readonly string[];

  /** @param origin scheme, host and port as sent by browsers; undefined allows no origin to send cookies */
  constructor(private readonly origin: string | undefined) {
    // `Vary` keeps caches from sending one origin's answer, or refusal, to others.
    this.forOthers = origin === undefined ? [] : ['Vary', 'Origin'];
    this.forReaders = [...this.forOthers, 'Access-Control-Allow-Origin', '*', ...EXPOSED];
    this.forAllowed = [
      ...this.forOthers,
      ...['Access-Control-Allow-Origin', origin ?? ''],
      ...['Access-Control-Allow-Credentials', 'true'],
      ...EXPOSED,
    ];
  }

  /**
   * Returns the CORS headers of the answer as alternating names and values.
   * @param method for a preflight, the method of the following request
   * @param isProven true if pages of any origin may post, because the request proves itself
   */
  headersFor(request: IncomingMessage, method = request.method, isProven = false): readonly string[] {
    if (this.isAllowed(request)) return this.forAllowed;
    const isOpen = READING.includes(method ?? '') || (isProven && method === 'POST');
    return isOpen ? this.forReaders : this.forOthers;
  }

  methodsFor(request: IncomingMessage, isProven = false): readonly string[] {
    if (this.isAllowed(request)) return [...READING, 'POST', 'PUT'];
    return isProven ? [...READING, 'POST'] : READING;
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    return this.origin !== undefined && headers.origin === this.origin;
  }
}

/**
 * Sets these headers on every answer of the paths, including failures, and answers preflights of allowed requests.
 * @param paths path prefixes
 * @param provenPaths the paths that accept posts from pages of any origin
 */
export function allowOrigin(
  origin: string | undefined,
  paths: readonly string[],
  provenPaths?: RegExp,
): RequestHandler {
  const allowed = new AllowedOrigin(origin);
  return (request: Request, response: Response, next: NextFunction) => {
    if (!hasPrefix(request.path, paths)) return next();
    const requestedMethod =
      request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
    const isProven = provenPaths?.test(request.path) === true;
    const headers = allowed.headersFor(request, requestedMethod, isProven);
    for (let n = 0; n < headers.length; n += 2) response.setHeader(headers[n]!, headers[n + 1]!);
    const methods = allowed.methodsFor(request, isProven);
    if (requestedMethod === undefined || !methods.includes(requestedMethod)) return next();
    response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    for (const [name, value] of Object.entries(PREFLIGHT)) response.setHeader(name, value);
    response.status(204).end();
  };
}

/** True if the path starts with one of the prefixes, e.g. `/checkout/`. Case-sensitive, like the router. */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}
