import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { ConnectionLimiter } from './connection-limiter.js';
import { SelfSendingAnswer, wrapInEnvelope } from '../answers/answer.js';
import { rejectMalformedRequest } from './reject-malformed-request.js';

/** Time limits of a connection, in milliseconds. */
export interface ServerTimeouts {
  headers: number;
  request: number;
  /** Must exceed the idle time of the load balancer, which may send a request until then. */
  keepAlive: number;
  /** Maximum time without a byte in either direction while a request is answered. */
  silence: number;
}

export const DEFAULT_TIMEOUTS: ServerTimeouts = {
  headers: 10_000,
  request: 10_000,
  keepAlive: 75_000,
  silence: 60_000,
};

export const DEFAULT_MAX_CONNECTIONS = 10_000;

/**
 * Thousands of clients can connect within one event loop iteration. The operating system may allow less
 * (`net.core.somaxconn`).
 */
const ACCEPT_QUEUE_LENGTH = 4_096;

/** Checks for overdue connections every second, because Node's 30 s would exceed short time limits by far. */
export class HttpAdapter extends ExpressAdapter {
  /**
   * A proxy's rule for `/app` must not be bypassed with `/APP`. Must be set before Nest's constructor creates the
   * router.
   */
  constructor() {
    super(express().enable('case sensitive routing'));
  }

  /** Replaces Nest's 201 for POST with 200 (docs/reference/README.md, "Envelope"). */
  override status(response: Response, statusCode: number): unknown {
    return super.status(response, statusCode === 201 ? 200 : statusCode) as unknown;
  }

  override reply(response: Response, returned: unknown, statusCode?: number): unknown {
    if (returned instanceof SelfSendingAnswer) return returned.sendTo(response);
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
    // Node would silently drop headers beyond a maximum number. Their total size is limited instead.
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
 * Express would set the prototypes on each object, which disables V8's property optimizations ("Overriding the
 * Express API").
 */
function messageClassesOf(application: Express, isDraining: () => boolean) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    override writeHead(...head: [statusCode: number]): this {
      // A kept-alive connection would delay the shutdown and lose its next request.
      if (isDraining()) this.setHeader('Connection', 'close');
      return super.writeHead(...head);
    }
  }
  const { request, response } = application;
  application.request = Object.setPrototypeOf(ExpressRequest.prototype, request) as typeof request;
  application.response = Object.setPrototypeOf(ExpressResponse.prototype, response) as typeof response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

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

export function configureServer(
  server: Server,
  timeouts: ServerTimeouts,
  mostConnections = DEFAULT_MAX_CONNECTIONS,
): void {
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  server.keepAliveTimeout = timeouts.keepAlive;
  server.timeout = timeouts.silence;
  const connections = new ConnectionLimiter(mostConnections);
  server.on('clientError', (error, socket) =>
    rejectMalformedRequest(error, socket, connections.unfinishedResponses(socket)),
  );
  server.prependListener('request', (request: IncomingMessage) => {
    request.url = toOriginForm(request.url ?? '/');
  });
  connections.attachTo(server);
}

/** Request targets that need no normalization, which are nearly all. */
const PLAIN_TARGET = /^\/[!"$-~]*$/;

/** Every form of a target (RFC 9112 section 3.2). Express would answer unparsable targets without our error body. */
function toOriginForm(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  const [beforeFragment = ''] = target.split('#');
  const path = beforeFragment
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return path.startsWith('/') ? path : `/${path}`;
}
