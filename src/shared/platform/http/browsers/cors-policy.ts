import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const EXPOSED_HEADERS = [
  'Access-Control-Expose-Headers',
  'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
];
const READING_METHODS = ['GET', 'HEAD'];
const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  // The official x402 client mistakenly sends the response header `Access-Control-Expose-Headers` with its payment
  // request.
  'Access-Control-Allow-Headers':
    'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
  'Access-Control-Max-Age': '600',
};

/**
 * CORS (Fetch standard, section 3.3): only pages of the configured origin may send cookies. Other pages may read, and
 * post where the payer's signature authenticates the request.
 */
export class CorsPolicy {
  private readonly forOthers: readonly string[];
  private readonly forReaders: readonly string[];
  private readonly forAllowed: readonly string[];

  /** @param origin of the hosted checkout; undefined: no origin may send cookies */
  constructor(private readonly origin: string | undefined) {
    // `Vary` keeps HTTP caches from serving the answer for one origin to another origin.
    this.forOthers = origin === undefined ? [] : ['Vary', 'Origin'];
    this.forReaders = [...this.forOthers, 'Access-Control-Allow-Origin', '*', ...EXPOSED_HEADERS];
    this.forAllowed = [
      ...this.forOthers,
      ...['Access-Control-Allow-Origin', origin ?? ''],
      ...['Access-Control-Allow-Credentials', 'true'],
      ...EXPOSED_HEADERS,
    ];
  }

  /**
   * Returns alternating names and values. @param method for a preflight, the method of the request that follows it
   * @param isProven true if the request authenticates itself
   */
  headersFor(request: IncomingMessage, method = request.method, isProven = false): readonly string[] {
    if (this.isAllowed(request)) return this.forAllowed;
    const isOpen = READING_METHODS.includes(method ?? '') || (isProven && method === 'POST');
    return isOpen ? this.forReaders : this.forOthers;
  }

  methodsFor(request: IncomingMessage, isProven = false): readonly string[] {
    if (this.isAllowed(request)) return [...READING_METHODS, 'POST', 'PUT'];
    return isProven ? [...READING_METHODS, 'POST'] : READING_METHODS;
  }

  private isAllowed({ headers }: IncomingMessage): boolean {
    return this.origin !== undefined && headers.origin === this.origin;
  }
}

/** @param paths path prefixes @param provenPaths the paths that accept posts from pages of any origin */
export function corsMiddleware(
  origin: string | undefined,
  paths: readonly string[],
  provenPaths?: RegExp,
): RequestHandler {
  const allowed = new CorsPolicy(origin);
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
    for (const [name, value] of Object.entries(PREFLIGHT_HEADERS)) response.setHeader(name, value);
    response.status(204).end();
  };
}

/** Case-sensitive, like the router. */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}
