import type { NextFunction, Request, Response } from 'express';
import type { CallerAddress } from '../http/callers/caller-address.js';
import type { JsonLogger } from './logger.js';
import { currentRequestId } from './request-context.js';

interface Served extends Request {
  /** Set by the guard once the caller has proven who it is. */
  principal?: { keyId: string };
}

/**
 * One line per request once it is over. The route's pattern stands for the path: real paths and queries hold
 * ids that are themselves the access control.
 * @param callers tells where a request comes from, behind the proxies that are trusted
 */
export function accessLog(logger: JsonLogger, callers: CallerAddress) {
  return (request: Served, response: Response, next: NextFunction): void => {
    const startedAt = process.hrtime.bigint();
    const requestId = currentRequestId();
    // Now: a socket that was closed has no address any more.
    const address = callers.of(request);
    response.once('close', () => {
      const route = request.route as { path?: unknown } | undefined;
      logger.plainEvent('request', {
        method: request.method,
        route: typeof route?.path === 'string' ? route.path : null,
        status: response.statusCode,
        ms: Number((process.hrtime.bigint() - startedAt) / 1000n) / 1000,
        request_id: requestId ?? null,
        address,
        key_id: request.principal?.keyId ?? null,
        ...(response.writableFinished ? {} : { aborted: true }),
      });
    });
    next();
  };
}
