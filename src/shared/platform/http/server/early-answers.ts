import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { chooseRequestId } from './request-id.js';
import { apiHeaders } from '../browsers/security-headers.js';

/**
 * Answers, from memory alone, requests that come too often for the way through Express and Nest. What it answers is
 * not in the access log and has passed no guard, no limit and no check of its query: it answers only what it knows.
 */
export abstract class EarlyAnswer {
  /** Answers and returns true, or touches nothing and returns false. Synchronous. */
  abstract answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Has `early` asked before the application, after what `configureServer` does to every request.
 * @param answered called with each of its answers
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

/** Names and values in turn: the form of `writeHead` that Node turns into a head with the least work. */
const COMMON_HEADERS = apiHeaders(false).flat();

/**
 * Ends a response with what every answer of the API carries, and the request's id.
 * @param headers names and values in turn; they may not repeat what every answer carries
 * @param common what every answer carries, by the operator's settings
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
