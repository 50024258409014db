import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { chooseRequestId } from './request-id.js';
import { apiHeaders } from '../browsers/security-headers.js';

/**
 * Answers from memory, before Express and Nest. Access log, guards and rate limits do not apply, so recognize
 * requests completely.
 */
export abstract class EarlyResponder {
  abstract answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Runs after the steps that `configureServer` applies to all requests. */
export function installEarlyResponder(server: Server, early: EarlyResponder, answered?: () => void): void {
  const application = server.listeners('request').at(-1) as RequestListener | undefined;
  if (application === undefined) throw new Error('There is no application to answer before.');
  server.off('request', application);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return;
    if (early.answer(request, response)) answered?.();
    else application.call(server, request, response);
  });
}

const COMMON_HEADERS = apiHeaders(false).flat();

/** @param headers alternating names and values @param common headers that depend on the operator's settings */
export function sendEarlyAnswer(
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
