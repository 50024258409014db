import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Connections } from './connections.js';
import { SelfSent, enveloped } from '../answers/answer.js';
import { refuseUnreadable } from './unreadable-request.js';

/** Time limits for callers, in milliseconds. */
export interface ServerTimeouts {
  /** Until the last header. */
  headers: number;
  /** Until the last byte of the body. */
  request: number;
  /** Idle time of a connection. Must exceed the load balancer's, which may send a request until its own limit. */
  keepAlive: number;
  /** Without a byte in either direction while a request is answered, such as a caller that does not read. */
  silence: number;
}

export const DEFAULT_TIMEOUTS: ServerTimeouts = {
  headers: 10_000,
  request: 10_000,
  keepAlive: 75_000,
  silence: 60_000,
};

export const DEFAULT_CONNECTIONS = 10_000;

/**
 * Length of the accept queue. Thousands of clients can connect within one event loop iteration; a client that finds the
 * queue full retries after a second. The system may allow less (`net.core.somaxconn`).
 */
const BACKLOG = 4_096;

/**
 * Express on a server that checks for overdue connections every second. Node's default of 30 s would stretch short limits.
 */
export class HttpAdapter extends ExpressAdapter {
  /**
   * Paths are case-sensitive, so that a proxy's rule for `/app` cannot be bypassed with `/APP` or `//app`. Must be set
   * before Nest's constructor creates the router, which reads the setting.
   */
  constructor() {
    super(express().enable('case sensitive routing'));
  }

  /** Success is HTTP 200 for every method (docs/reference/README.md, "Envelope"); Nest starts POST answers with 201. */
  override status(response: Response, statusCode: number): unknown {
    return super.status(response, statusCode === 201 ? 200 : statusCode) as unknown;
  }

  /** Sends an object like Express, without its repeated checks of type, freshness and settings. */
  override reply(response: Response, returned: unknown, statusCode?: number): unknown {
    if (returned instanceof SelfSent) return returned.sendBy(response);
    const body = enveloped(response, returned);
    if (!isPlainAnswer(response, body) || statusCode !== undefined)
      return super.reply(response, body, statusCode as number) as unknown;
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const options = {
      connectionsCheckingInterval: 1_000,
      ...classesOf(application, () => !server.listening),
    };
    const server: Server = createServer(options, (request, response) => {
      if (!request.socket.destroyed) application(request, response);
    });
    // Header size is limited instead. Beyond a maximum count, Node would silently drop headers.
    server.maxHeadersCount = 0;
    this.setHttpServer(server);
  }

  override listen(port: string | number, ...args: unknown[]): Server {
    const host = typeof args[0] === 'string' ? { host: args[0] } : {};
    const callback = args.find((one): one is () => void => typeof one === 'function');
    const server = this.getHttpServer() as Server;
    return server.listen({ port: Number(port), ...host, backlog: BACKLOG }, callback);
  }
}

/**
 * Request and response classes with the prototypes that Express sets on each object ("Overriding the Express API" in its
 * guide). Changing the prototype of an existing object makes V8 discard its property optimizations.
 */
function classesOf(application: Express, isDraining: () => boolean) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    override writeHead(...head: [statusCode: number]): this {
      // Keep-alive connections would delay the shutdown and lose the next request.
      if (isDraining()) this.setHeader('Connection', 'close');
      return super.writeHead(...head);
    }
  }
  const { request, response } = application;
  application.request = Object.setPrototypeOf(ExpressRequest.prototype, request) as typeof request;
  application.response = Object.setPrototypeOf(ExpressResponse.prototype, response) as typeof response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** True if only JSON is sent: the handler set no type, entity tag or status. */
function isPlainAnswer(response: Response, body: unknown): body is object {
  return (
    response.statusCode === 200 &&
    typeof body === 'object' &&
    body !== null &&
    Object.getPrototypeOf(body) === Object.prototype &&
    !response.hasHeader('Content-Type') &&
    !response.hasHeader('ETag') &&
    !response.hasHeader('Last-Modified')
  );
}

/**
 * Configures the server before it listens. Limits slow callers and the number of connections, and normalizes request
 * targets for the router.
 */
export function configureServer(
  server: Server,
  timeouts: ServerTimeouts,
  mostConnections = DEFAULT_CONNECTIONS,
): void {
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.keepAliveTimeout = timeouts.keepAlive;
  server.timeout = timeouts.silence;
  const connections = new Connections(mostConnections);
  server.on('clientError', (error, socket) =>
    refuseUnreadable(error, socket, connections.unfinished(socket)),
  );
  server.prependListener('request', (request: IncomingMessage) => {
    request.url = originForm(request.url ?? '/');
  });
  connections.watch(server);
}

/**
 * Matches targets that need no change, which are nearly all: they start with a slash, and have no fragment and nothing to
 * encode.
 */
const PLAIN = /^\/[!"$-~]*$/;

/**
 * Converts any form of request target to a path with query (RFC 9112 section 3.2). Express would answer targets that it
 * cannot parse before any middleware, without our error body.
 */
function originForm(target: string): string {
  if (PLAIN.test(target)) return target;
  const [beforeFragment = ''] = target.split('#');
  const path = beforeFragment
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return path.startsWith('/') ? path : `/${path}`;
}
