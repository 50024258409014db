import { Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HelmetOptions } from 'helmet';
import helmet from 'helmet';
import { accessLog } from '../logging/access-log.js';
import type { JsonLogger } from '../logging/logger.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { ErrorFilter } from './error.filter.js';
import type { ServerTimeouts } from './http-server.js';
import { DEFAULT_TIMEOUTS, configureServer } from './http-server.js';
import { readJsonBody } from './json-body.js';
import { identifyRequest } from './request-id.js';
import { readStrictQuery } from './strict-query.js';
import { UndeclaredInputInterceptor } from './undeclared-input.interceptor.js';
import { createValidationPipe } from './validation.js';

export interface HttpOptions {
  logger: JsonLogger;
  timeouts?: Partial<ServerTimeouts>;
  /** Where Swagger UI is served, whose pages need a policy of their own. */
  docsPath?: string;
}

/** An API's answers are not documents: nothing in them may load or be framed. */
const API_POLICY: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
};

/** Swagger UI brings its own scripts, styles in attributes and icons as data. */
const DOCS_POLICY: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      frameAncestors: ["'none'"],
    },
  },
};

/**
 * Makes an application answer by the rules of decisions.md section 1.
 * Create it with `bodyParser: false` and call this before `listen` or `init`. Guards are the application's own.
 */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  configureServer(app.getHttpServer(), timeouts);
  app.set('query parser', 'simple');
  // Who the caller is decides `clientAddress`; Express would believe headers.
  app.set('trust proxy', false);
  app.disable('x-powered-by');
  app.disable('etag');

  app.use(identifyRequest);
  app.use(accessLog(options.logger));
  app.use(securityHeaders(options.docsPath ?? '/docs'));
  app.use(readStrictQuery);
  app.use(readJsonBody(timeouts.request));

  app.useGlobalFilters(new ErrorFilter(options.logger));
  app.useGlobalInterceptors(new UndeclaredInputInterceptor(), new EnvelopeInterceptor(app.get(Reflector)));
  app.useGlobalPipes(createValidationPipe());
  app.enableShutdownHooks();
}

function securityHeaders(docsPath: string): RequestHandler {
  const forApi = helmet(API_POLICY);
  const forDocs = helmet(DOCS_POLICY);
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.path === docsPath || request.path.startsWith(`${docsPath}/`))
      return forDocs(request, response, next);
    response.setHeader('Cache-Control', 'no-store');
    forApi(request, response, next);
  };
}
