import type { ShutdownSignal } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { accessLog, type ServedRequest } from './access-log.js';
import type { JsonLogger } from '../../logging/logger.js';
import { corsMiddleware } from '../browsers/cors-policy.js';
import { refuseCrossSite } from '../browsers/cross-site.js';
import { switchLanguage } from '../browsers/page-language.js';
import { CallerAddressResolver } from '../callers/caller-address-resolver.js';
import { reportUnlistedProxies } from '../callers/unlisted-proxies.js';
import { ErrorFilter, type HtmlErrorPages } from '../errors/error-envelope.filter.js';
import { type ServerTimeouts, DEFAULT_TIMEOUTS, HttpAdapter, configureServer } from './http-server.js';
import { InputGuard } from '../input/input.guard.js';
import { RequestBodyReader } from '../input/request-body.js';
import { traceRequests } from './trace-requests.js';
import { assignRequestId } from './request-id.js';
import { securityHeaders } from '../browsers/security-headers.js';
import { readStrictQuery } from '../input/strict-query.js';
import { InputPipe } from '../validation/validation.js';

export interface HttpOptions {
  logger: JsonLogger;
  observe?: ((request: ServedRequest) => void) | undefined;
  timeouts?: Partial<ServerTimeouts>;
  mostConnections?: number;
  docsPath?: string;
  hstsIncludesSubdomains?: boolean;
  formPaths?: readonly string[];
  errorPageSender?: readonly HtmlErrorPages[];
  openPaths?: readonly string[];
  /** Accept posts from pages of any site, without cookies, because the request authenticates itself. */
  provenPaths?: RegExp;
  /** Mail programs post here for one-click unsubscribing, in any format (RFC 8058). The body is ignored. */
  oneClickPaths?: RegExp;
  ownOrigins?: readonly string[];
  /** The only other origin whose pages may call `openPaths`, such as `https://checkout.example`. */
  allowedOrigin?: string | undefined;
  followRequests?: RequestHandler;
  stopSignals?: ShutdownSignal[];
}

/**
 * Needs an `HttpAdapter` with `bodyParser: false`, before `listen` or `init`. Guards must be `APP_GUARD` providers
 * that are not request-scoped.
 */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  if (!(app.getHttpAdapter() instanceof HttpAdapter)) {
    throw new Error(
      'Create the application on an HttpAdapter: otherwise connections of slow callers are closed half a ' +
        'minute too late.',
    );
  }
  const { formPaths = [], openPaths = [], ownOrigins = [], errorPageSender = [] } = options;
  const { provenPaths, oneClickPaths } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  configureServer(app.getHttpServer(), timeouts, options.mostConnections);
  app.set('query parser', 'simple');
  // Express would trust forwarding headers of any client. `clientAddress` determines the caller instead.
  app.set('trust proxy', false);
  app.disable('x-powered-by');
  app.disable('etag');

  const callers = app.get(CallerAddressResolver, { strict: false });
  app.use(
    chainHandlers([
      assignRequestId,
      traceRequests(callers),
      accessLog(options.logger, callers, options.observe),
      securityHeaders(options.docsPath ?? '/docs', options.hstsIncludesSubdomains),
      reportUnlistedProxies(callers, options.logger),
      corsMiddleware(options.allowedOrigin, openPaths, provenPaths),
      refuseCrossSite([...formPaths, ...openPaths], ownOrigins, [provenPaths, oneClickPaths]),
      readStrictQuery,
      switchLanguage(errorPageSender.flatMap(({ paths }) => paths)),
      ...(options.followRequests === undefined ? [] : [options.followRequests]),
    ]),
  );

  app.useGlobalFilters(new ErrorFilter(options.logger, errorPageSender));
  app.useGlobalGuards(
    new InputGuard(app.get(Reflector), new RequestBodyReader(timeouts.request, formPaths, oneClickPaths)),
  );
  app.useGlobalPipes(new InputPipe());
  app.enableShutdownHooks(options.stopSignals);
}

function chainHandlers(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) =>
      handler(request, response, (error?: unknown) =>
        error === undefined ? rest(request, response, next) : next(error),
      ),
    (_request, _response, next) => next(),
  );
}
