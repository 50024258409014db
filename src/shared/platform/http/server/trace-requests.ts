import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { CallerAddressResolver } from '../callers/caller-address-resolver.js';
import { currentRequestId } from '../../logging/logger.js';
import { tracing, type SpanStart } from '../../tracing/tracing.js';

/**
 * Spans have the route pattern as name, because paths can contain ids that grant access. `traceparent` is accepted
 * only from trusted proxies, so that clients cannot choose what is recorded.
 */
export function traceRequests(callers: CallerAddressResolver): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const configured = tracing();
    if (configured === undefined) return next();
    const { method } = request;
    const span = configured.begin({
      name: method,
      kind: 'server',
      parent: parentOf(request, callers),
      fields: { 'http.request.method': method, 'request.id': currentRequestId() ?? '' },
    });
    response.setHeader('traceresponse', span.traceparent);
    response.once('close', () => {
      const { path } = (request.route ?? {}) as { path?: unknown };
      if (typeof path === 'string') {
        span.rename(`${method} ${path}`);
        span.set({ 'http.route': path });
      }
      span.set({ 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.fail(undefined);
      span.end();
    });
    span.within(next);
  };
}

function parentOf(request: Request, callers: CallerAddressResolver): NonNullable<SpanStart['parent']> {
  const { traceparent } = request.headers;
  if (typeof traceparent !== 'string') return 'none';
  if (!callers.comesThroughTrustedProxy(request)) return 'none';
  // The header of a forwarded request comes from the proxy's client, who must not decide what is recorded.
  return { traceparent, decidesSampling: callers.originatesAtTrustedProxy(request) };
}
