import {
  type ArgumentsHost,
  type ExceptionFilter,
  Catch,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, RateLimited, type FieldError } from '#shared/kernel/domain-error.js';
import { isTransientDatabaseError } from '../../database/transient-error.js';
import { OperatorLogWriter } from '../../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../../logging/platform-log-events.js';
import type { JsonLogger } from '../../logging/logger.js';
import { ERROR_CODES, type ErrorCode } from './error-codes.js';
import {
  HTTP_STATUS_OF_ERROR_KIND,
  httpStatusOf,
  type HttpFailure,
  type ErrorPageSender,
} from './error-kinds.js';
import { IdempotencyInProgress } from '../idempotency/idempotent-answers.js';
import { discardRest } from '../input/receive-body.js';
import { RateLimitHeaderBuilder, setRateLimitHeaders } from '../callers/rate-limit-headers.js';
import { hasPrefix } from '../browsers/cors-policy.js';
import { requestIdOf } from '../server/request-id.js';

export interface ErrorBody {
  status: 'error';
  code: string;
  message: string;
  details?: string;
  errors?: FieldError[];
  request_id: string;
}

/** Frameworks' own messages may reveal internals. */
const CODE_OF_FRAMEWORK_STATUS: Record<number, ErrorCode> = {
  401: 'credentials_invalid',
  403: 'role_required',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  503: 'unavailable',
};

export interface HtmlErrorPages {
  readonly paths: readonly string[];
  readonly failures: ErrorPageSender;
  readonly onlyBrowsers?: boolean;
}

/** Errors that callers may not see are logged and answered as `internal_error`. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly logger: JsonLogger,
    private readonly pages: readonly HtmlErrorPages[] = [],
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = requestIdOf(request);
    const allowed = exception instanceof NotFoundException ? allowedMethods(request) : [];
    const failure = allowed.length === 0 ? describeFailure(exception) : failureOfCode('method_not_allowed');
    discardRest(request);
    if (failure.status >= 500) {
      const event = failure.status === 503 ? 'http.request_unavailable' : 'http.request_failed';
      new OperatorLogWriter('http', PLATFORM_LOG_EVENTS, this.logger).write(event, {
        ...{ code: failure.code, err: exception, request_id: requestId },
      });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }

    // The handler may already have set headers for a successful answer. Cookies are kept, because a renewed session
    // invalidates its old cookie.
    for (const name of ['content-type', 'content-disposition', 'etag', 'last-modified']) {
      response.removeHeader(name);
    }
    response.setHeader('Cache-Control', 'no-store');
    if (allowed.length > 0) response.setHeader('Allow', allowed.join(', '));
    const wait = secondsToWait(exception, failure.status);
    if (wait !== undefined) response.setHeader('Retry-After', String(wait));
    if (exception instanceof RateLimited) setExceededLimitFields(exception, response);
    const shown = this.pages.find(({ paths }) => hasPrefix(request.path, paths));
    const isForPeople =
      shown?.onlyBrowsers !== true || request.headers.accept?.includes('text/html') === true;
    if (shown !== undefined && isForPeople)
      return shown.failures.send({ ...failure, requestId }, exception, request, response);
    if (failure.status === HTTP_STATUS_OF_ERROR_KIND.unauthenticated)
      response.setHeader('WWW-Authenticate', 'Bearer');
    const { status, ...body } = failure;
    response.status(status).json({ status: 'error', ...body, request_id: requestId } satisfies ErrorBody);
  }
}

function describeFailure(exception: unknown): HttpFailure {
  if (exception instanceof DomainError) {
    const { kind, code, message, errors } = exception;
    const refused = errors.length > 0 ? { details: joinFieldMessages(errors), errors } : {};
    return { status: HTTP_STATUS_OF_ERROR_KIND[kind], code, message, ...refused };
  }
  if (isTransientDatabaseError(exception)) return failureOfCode('unavailable');
  const status = frameworkStatus(exception);
  if (status === undefined) return failureOfCode('internal_error');
  const code = CODE_OF_FRAMEWORK_STATUS[status];
  if (code !== undefined) return failureOfCode(code);
  return status < 500 ? { ...failureOfCode('validation_failed'), status } : failureOfCode('internal_error');
}

function joinFieldMessages(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
}

function secondsToWait(exception: unknown, status: number): number | undefined {
  if (exception instanceof RateLimited || exception instanceof IdempotencyInProgress)
    return exception.retryAfterSeconds;
  return status === HTTP_STATUS_OF_ERROR_KIND.unavailable ? 1 : undefined;
}

function setExceededLimitFields({ policy, retryAfterSeconds }: RateLimited, response: Response): void {
  if (policy !== undefined)
    setRateLimitHeaders(
      response,
      new RateLimitHeaderBuilder(policy).headers(policy.name, 0, retryAfterSeconds),
    );
}

function failureOfCode(code: ErrorCode): HttpFailure {
  return { status: httpStatusOf(ERROR_CODES[code].kind), code, message: ERROR_CODES[code].sentence };
}

/** Express and its middleware set a status on the error if the caller is at fault. */
function frameworkStatus(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  if (!(exception instanceof Error)) return undefined;
  const { status, expose } = exception as { status?: unknown; expose?: unknown };
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  // Without the flag `expose`, the status may be that of a failed request to another service.
  return expose === true || exception instanceof URIError ? status : undefined;
}

interface RouteLayer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/**
 * For the header `Allow` (RFC 9110, section 10.2.1). @returns an empty list if no route matches, or if one accepts
 * the method
 */
function allowedMethods({ app, method, path }: Request): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as unknown as RouteLayer[])
    if (layer.route !== undefined && layer.match(path))
      for (const name of Object.keys(layer.route.methods)) methods.add(name.toUpperCase());
  if (methods.has('GET')) methods.add('HEAD');
  return methods.has(method) ? [] : [...methods].sort();
}
