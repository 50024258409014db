import type { ShutdownSignal } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { accessLog, type ServedRequest } from './access-log.js';
import type { JsonLogger } from '../../logging/logger.js';
import { allowOrigin } from '../browsers/allowed-origin.js';
import { refuseCrossSite } from '../browsers/cross-site.js';
import { CallerAddress } from '../callers/caller-address.js';
import { watchProxies } from '../callers/unlisted-proxies.js';
import { ErrorFilter, type PagesForPeople } from '../errors/error-envelope.filter.js';
import { type ServerTimeouts, DEFAULT_TIMEOUTS, HttpAdapter, configureServer } from './http-server.js';
import { InputGuard } from '../input/input.guard.js';
import { RequestBodies } from '../input/request-body.js';
import { traceRequests } from './trace-requests.js';
import { identifyRequest } from './request-id.js';
import { securityHeaders } from '../browsers/security-headers.js';
import { readStrictQuery } from '../input/strict-query.js';
import { InputPipe } from '../validation/validation.js';

export interface HttpOptions {
  logger: JsonLogger;
  /** Called with each request that is over. */
  observe?: ((request: ServedRequest) => void) | undefined;
  timeouts?: Partial<ServerTimeouts>;
  /** How many connections may be open at once. */
  mostConnections?: number;
  /** Where Swagger UI is served, whose pages need a policy of their own. */
  docsPath?: string;
  /** True if HSTS covers the subdomains of this host too. */
  hstsIncludesSubdomains?: boolean;
  /** The paths of pages begin with these: they post forms without JavaScript; elsewhere a body is JSON. */
  formPaths?: readonly string[];
  /** How failures are shown where people look; in JSON elsewhere. */
  failurePages?: readonly PagesForPeople[];
  /** The paths that browsers call without a credential begin with these. */
  openPaths?: readonly string[];
  /** Open paths to which pages of any site may post, without cookies: what they send proves itself. */
  provenPaths?: RegExp;
  /**
   * Paths that mail programs post to by themselves, in whatever form (RFC 8058): the path proves the request, and its body is not
   * read.
   */
  oneClickPaths?: RegExp;
  /** The origins of this service: other sites' pages may send nothing to its pages and open paths. */
  ownOrigins?: readonly string[];
  /** The one other origin whose pages may call the open paths, e.g. `https://checkout.example`. */
  allowedOrigin?: string | undefined;
  /** Follows what requests read and write, where there is a replica (follow-requests.ts). */
  followRequests?: RequestHandler;
  /** Signals that end the process in order; absent: all that Nest knows. */
  stopSignals?: ShutdownSignal[];
}

/**
 * Makes an application answer by the rules of docs/reference/README.md.
 * Create it on an `HttpAdapter` with `bodyParser: false` and call this before `listen` or `init`. Guards are the
 * application's own: providers of `APP_GUARD` that no request makes anew, which run before the one that reads the input.
 */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  if (!(app.getHttpAdapter() instanceof HttpAdapter)) {
    throw new Error(
      'Create the application on an HttpAdapter: otherwise connections of slow callers are closed half a ' +
        'minute too late.',
    );
  }
  const { formPaths = [], openPaths = [], ownOrigins = [], failurePages = [] } = options;
  const { provenPaths, oneClickPaths } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  configureServer(app.getHttpServer(), timeouts, options.mostConnections);
  app.set('query parser', 'simple');
  // Who the caller is decides `clientAddress`; Express would trust headers.
  app.set('trust proxy', false);
  app.disable('x-powered-by');
  app.disable('etag');

  const callers = app.get(CallerAddress, { strict: false });
  app.use(
    inOrder([
      identifyRequest,
      traceRequests(callers),
      accessLog(options.logger, callers, options.observe),
      securityHeaders(options.docsPath ?? '/docs', options.hstsIncludesSubdomains),
      watchProxies(callers, options.logger),
      allowOrigin(options.allowedOrigin, openPaths, provenPaths),
      refuseCrossSite([...formPaths, ...openPaths], ownOrigins, [provenPaths, oneClickPaths]),
      readStrictQuery,
      ...(options.followRequests === undefined ? [] : [options.followRequests]),
    ]),
  );

  app.useGlobalFilters(new ErrorFilter(options.logger, failurePages));
  app.useGlobalGuards(
    new InputGuard(app.get(Reflector), new RequestBodies(timeouts.request, formPaths, oneClickPaths)),
  );
  app.useGlobalPipes(new InputPipe());
  app.enableShutdownHooks(options.stopSignals);
}

/** One handler in place of many, all of them synchronous: Express matches the path anew for each. */
function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) =>
      handler(request, response, (error?: unknown) =>
        error === undefined ? rest(request, response, next) : next(error),
      ),
    (_request, _response, next) => next(),
  );
}
