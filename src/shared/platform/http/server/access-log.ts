import type { NextFunction, Request, Response } from 'express';
import type { CallerAddressResolver } from '../callers/caller-address-resolver.js';
import { type JsonLogger, currentRequestId } from '../../logging/logger.js';
import { currentTraceFields } from '../../tracing/tracing.js';
import { PLATFORM_LOG_EVENTS } from '../../logging/platform-log-events.js';

export interface ServedRequest {
  readonly method: string;
  /** Pattern of the route, such as `/v1/things/:id`; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
  /** True if the caller disconnected before the end of the response. */
  readonly aborted: boolean;
}

interface AuthenticatedRequest extends Request {
  principal?: { keyId: string };
}

/** Logs the route pattern, because paths and queries can contain ids that grant access. */
export function accessLog(
  logger: JsonLogger,
  callers: CallerAddressResolver,
  observe?: (request: ServedRequest) => void,
) {
  return (request: AuthenticatedRequest, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    const requestId = currentRequestId();
    // Read before the answer, because a closed socket has no address.
    const address = callers.addressOf(request);
    const trace = currentTraceFields();
    response.once('close', () => {
      const declared = request.route as { path?: unknown } | undefined;
      const route = typeof declared?.path === 'string' ? declared.path : null;
      const { method } = request;
      const status = response.statusCode;
      const ms = Number((process.hrtime.bigint() - startedAt) / 1000n) / 1000;
      logger.logUnredacted(PLATFORM_LOG_EVENTS['http.request'].message, {
        event: 'http.request' satisfies keyof typeof PLATFORM_LOG_EVENTS,
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
