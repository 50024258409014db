import type { NextFunction, Request, Response } from 'express';
import type { CallerAddress } from '../http/callers/caller-address.js';
import type { JsonLogger } from './logger.js';
import { currentTraceFields } from '../tracing/tracing.js';
import { LOG_EVENTS, type LogEventName } from './log-events.js';
import { currentRequestId } from './request-context.js';

/** A request that is over, as far as it may be counted. */
export interface ServedRequest {
  readonly method: string;
  /** The pattern of its route; null where none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
  /** True where the caller left before the end of the answer. */
  readonly aborted: boolean;
}

interface Served extends Request {
  /** Set by the guard once the caller has proven who it is. */
  principal?: { keyId: string };
}

/**
 * One line per request once it is over. The route's pattern stands for the path: real paths and queries hold
 * ids that are themselves the access control.
 * @param callers knows where a request comes from, behind the proxies that are trusted
 * @param observe called with each
 */
export function accessLog(
  logger: JsonLogger,
  callers: CallerAddress,
  observe?: (request: ServedRequest) => void,
) {
  return (request: Served, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    const requestId = currentRequestId();
    // Now: a socket that was closed has no address any more.
    const address = callers.addressOf(request);
    const trace = currentTraceFields();
    response.once('close', () => {
      const declared = request.route as { path?: unknown } | undefined;
      const route = typeof declared?.path === 'string' ? declared.path : null;
      const { method } = request;
      const status = response.statusCode;
      const ms = Number((process.hrtime.bigint() - startedAt) / 1000n) / 1000;
      logger.plainEvent(LOG_EVENTS['http.request'].message, {
        event: 'http.request' satisfies LogEventName,
        method,
        route,
        status,
        ms,
        request_id: requestId ?? null,
        ...trace,
        address,
        key_id: request.principal?.keyId ?? null,
        ...(response.writableFinished ? {} : { aborted: true }),
      });
      observe?.({ method, route, status, seconds: ms / 1000, aborted: !response.writableFinished });
    });
    next();
  };
}
