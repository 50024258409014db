import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const EXPOSED = [
  'Access-Control-Expose-Headers',
  'etag, payment-required, payment-response, ratelimit, ratelimit-policy, retry-after, x-request-id',
];
const READING = ['GET', 'HEAD'];
const PREFLIGHT: Readonly<Record<string, string>> = {
  // The official client of x402 sends `Access-Control-Expose-Headers` with its payment, which is an answer's header.
  'Access-Control-Allow-Headers':
    'access-control-expose-headers, content-type, if-none-match, payment-signature, x-request-id',
  'Access-Control-Max-Age': '600',
};

/**
 * Pages of other origins are allowed this (Fetch standard, section 3.3). One of them, the hosted checkout's, may call
 * with cookies and read the answers. Any other may read without cookies, so that wallets in browsers work, and send
 * nothing: its preflight for that is answered like any unknown route. Only what proves itself, as a payer's signature does,
 * may any of them send, without cookies. The origin that was sent is only ever compared, never sent back.
 */
export class AllowedOrigin {
  private readonly forOthers: readonly string[];
  private readonly forReaders: readonly string[];
  private readonly forAllowed: readonly string[];

  /** @param origin scheme, host and port as browsers send it; undefined allows none to send cookies */
  constructor(private readonly origin: string | undefined) {
    // Whom an answer is for decides about its headers, so no cache may answer others with it; the refusal neither.
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
   * The headers of the answer to this request: names and values in turn.
   * @param method of a preflight, the one that is to follow
   * @param isProven true where any page may post, since what it sends proves itself
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
 * Puts these headers on every answer below these paths, failures included, and answers preflights for what is allowed.
 * @param paths what the paths begin with
 * @param provenPaths those of them to which pages of any origin may post
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

/** True for a path below one of these, e.g. `/checkout/`. Case-sensitive, like the router. */
export function hasPrefix(path: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => path.startsWith(beginning));
}
