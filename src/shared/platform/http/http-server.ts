import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { refuseUnreadable } from './unreadable-request.js';

/** How long a caller may take, in milliseconds. */
export interface ServerTimeouts {
  /** Until the last header. */
  headers: number;
  /** Until the last byte of the body. */
  request: number;
  /** How long an idle connection is kept. */
  keepAlive: number;
}

export const DEFAULT_TIMEOUTS: ServerTimeouts = { headers: 10_000, request: 10_000, keepAlive: 30_000 };

/** Before it listens: bounds slow callers, and puts every request target into the one form the router understands. */
export function configureServer(server: Server, timeouts: ServerTimeouts): void {
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.keepAliveTimeout = timeouts.keepAlive;
  // Node looks for overdue connections every 30 s unless told, which would stretch short limits to that.
  Object.assign(server, { connectionsCheckingInterval: Math.min(1_000, timeouts.headers) });
  server.on('clientError', refuseUnreadable);
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    request.url = originForm(request.url ?? '/');
    closeWhenDraining(server, response);
  });
}

/** While draining, kept connections would hold the process and lose the next request sent on them. */
function closeWhenDraining(server: Server, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    return writeHead(...head);
  };
}

/**
 * A path with query, whichever form of request target was sent (RFC 9112 section 3.2). Express answers targets
 * it cannot parse by itself, before any middleware, outside our error shape.
 */
export function originForm(target: string): string {
  const [beforeFragment = ''] = target.split('#');
  const path = beforeFragment
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/^\/{2,}/, '/');
  return path.startsWith('/') ? path : `/${path}`;
}
