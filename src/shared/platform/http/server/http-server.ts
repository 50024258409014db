import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Connections } from './connections.js';
import { SelfSentAnswer, wrapInEnvelope } from '../answers/answer.js';
import { refuseUnreadable } from './unreadable-request.js';

/** Time limits of a connection, in milliseconds. */
export interface ServerTimeouts {
  /** Maximum time until the last header has arrived. */
  headers: number;
  /** Maximum time until the last byte of the body has arrived. */
  request: number;
  /**
   * Maximum idle time of a connection. Must exceed the idle time of the load balancer, which may send a request until
   * then.
   */
  keepAlive: number;
  /**
   * Maximum time without a byte in either direction while a request is answered, for example if the caller stops
   * reading.
   */
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
 * Length of the queue of connections that wait to be accepted. Thousands of clients can connect within one event loop
 * iteration; a client that finds the queue full retries after a second. The operating system may allow less
 * (`net.core.somaxconn`).
 */
const ACCEPT_QUEUE_LENGTH = 4_096;

/**
 * Express on a server that checks for overdue connections every second. With Node's default of 30 s, short time limits
 * would be exceeded by far.
 */
export class HttpAdapter extends ExpressAdapter {
  /**
   * Makes paths case-sensitive, so that a proxy's rule for `/app` cannot be bypassed with `/APP` or `//app`. Must be
   * set before Nest's constructor creates the router, which reads the setting.
   */
  constructor() {
    super(express().enable('case sensitive routing'));
  }

  /**
   * Replaces status 201, Nest's default for POST, with 200: success has status 200 for every method
   * (docs/reference/README.md, "Envelope").
   */
  override status(response: Response, statusCode: number): unknown {
    return super.status(response, statusCode === 201 ? 200 : statusCode) as unknown;
  }

  /** Sends an object like Express, but without Express' repeated checks of type, freshness and settings. */
  override reply(response: Response, returned: unknown, statusCode?: number): unknown {
    if (returned instanceof SelfSentAnswer) return returned.sendBy(response);
    const body = wrapInEnvelope(response, returned);
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
      ...messageClassesOf(application, () => !server.listening),
    };
    const server: Server = createServer(options, (request, response) => {
      if (!request.socket.destroyed) application(request, response);
    });
    // No maximum number of headers, because Node would silently drop the others. The total size of the headers is
    // limited instead.
    server.maxHeadersCount = 0;
    this.setHttpServer(server);
  }

  override listen(port: string | number, ...args: unknown[]): Server {
    const host = typeof args[0] === 'string' ? { host: args[0] } : {};
    const callback = args.find((one): one is () => void => typeof one === 'function');
    const server = this.getHttpServer() as Server;
    return server.listen({ port: Number(port), ...host, backlog: ACCEPT_QUEUE_LENGTH }, callback);
  }
}

/**
 * Returns request and response classes with the prototypes that Express would otherwise set on each object ("Overriding
 * the Express API" in its guide). Changing the prototype of an existing object disables V8's property optimizations.
 */
function messageClassesOf(application: Express, isDraining: () => boolean) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    override writeHead(...head: [statusCode: number]): this {
      // Closes the connection during a shutdown. A kept-alive connection would delay the shutdown and lose its next
      // request.
      if (isDraining()) this.setHeader('Connection', 'close');
      return super.writeHead(...head);
    }
  }
  const { request, response } = application;
  application.request = Object.setPrototypeOf(ExpressRequest.prototype, request) as typeof request;
  application.response = Object.setPrototypeOf(ExpressResponse.prototype, response) as typeof response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** True if the answer is plain JSON: the handler set no content type, entity tag or status. */
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
 * Configures the server before it listens: limits slow callers and the number of connections, and normalizes request
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
    request.url = toOriginForm(request.url ?? '/');
  });
  connections.watch(server);
}

/**
 * Matches request targets that need no normalization, which are nearly all: they start with a slash, and contain no
 * fragment and no character to encode.
 */
const PLAIN_TARGET = /^\/[!"$-~]*$/;

/**
 * Converts every form of a request target to a path with query (RFC 9112 section 3.2). Express would answer targets
 * that it cannot parse before any middleware, without our error body.
 */
function toOriginForm(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  const [beforeFragment = ''] = target.split('#');
  const path = beforeFragment
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return path.startsWith('/') ? path : `/${path}`;
}
