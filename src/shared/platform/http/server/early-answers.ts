import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { chooseRequestId } from './request-id.js';
import { apiHeaders } from '../browsers/security-headers.js';

/**
 * Answers very frequent requests from memory, bypassing Express and Nest. Its answers skip the access log, guards, limits
 * and query checks, so it answers only requests it recognizes.
 */
export abstract class EarlyAnswer {
  /** Answers and returns true, or does nothing and returns false. Synchronous. */
  abstract answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Calls `early` before the application, after the steps that `configureServer` applies to every request.
 * @param answered called after each early answer
 */
export function answerEarly(server: Server, early: EarlyAnswer, answered?: () => void): void {
  const application = server.listeners('request').at(-1) as RequestListener | undefined;
  if (application === undefined) throw new Error('There is no application to answer before.');
  server.off('request', application);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    if (early.answer(request, response)) answered?.();
    else application.call(server, request, response);
  });
}

/** Alternating names and values, the fastest form of `writeHead`. */
const COMMON_HEADERS = apiHeaders(false).flat();

/**
 * Ends a response with the common API headers and the request id.
 * @param headers alternating names and values; must not repeat common headers
 * @param common headers that depend on the operator's settings
 */
export function endEarly(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: readonly string[] = [],
  body?: Uint8Array,
  common: readonly string[] = COMMON_HEADERS,
): void {
  const all = ['X-Request-Id', chooseRequestId(request), ...headers];
  if (body !== undefined) all.push('Content-Length', String(body.length));
  response.writeHead(status, [...all, ...common]);
  response.end(body);
}
