import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { Connections } from './connections.js';
import { SelfSent, enveloped } from '../answers/answer.js';
import { refuseUnreadable } from './unreadable-request.js';

/** How long a caller may take, in milliseconds. */
export interface ServerTimeouts {
  /** Until the last header. */
  headers: number;
  /** Until the last byte of the body. */
  request: number;
  /** How long an idle connection is kept: longer than a load balancer keeps it, which may send on it until then. */
  keepAlive: number;
  /** While a request is answered, without a byte in either direction: a caller that does not read its answers. */
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
 * Connections that wait to be accepted. A crowd comes by thousands within a turn of the event loop; who finds no place here
 * tries again after a second. The system may allow fewer (`net.core.somaxconn`).
 */
const BACKLOG = 4_096;

/** Express on a server that looks for overdue connections every second: 30 s, Node's own, would stretch short limits. */
export class HttpAdapter extends ExpressAdapter {
  /**
   * Paths are matched as they are written: a proxy that keeps strangers from `/app` must not be passed by `/APP` or `//app`.
   * Nest's own constructor makes the router, which reads the setting then.
   */
  constructor() {
    super(express().enable('case sensitive routing'));
  }

  /** Success is HTTP 200 whatever the method (docs/reference/README.md, "Envelope"); Nest begins a POST with 201. */
  override status(response: Response, statusCode: number): unknown {
    return super.status(response, statusCode === 201 ? 200 : statusCode) as unknown;
  }

  /** Sends an object as Express would, without what Express finds out anew each time: type, freshness, settings. */
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
    // Headers are bounded by their size; beyond this number Node would drop them in silence.
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
 * Classes of requests and responses that begin with the prototypes that Express sets on each ("Overriding the Express API" in
 * its guide). Set on an object that exists, a prototype makes V8 forget what it knows of its properties.
 */
function classesOf(application: Express, isDraining: () => boolean) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    override writeHead(...head: [statusCode: number]): this {
      // Kept connections would hold the process and lose the next request sent on them.
      if (isDraining()) this.setHeader('Connection', 'close');
      return super.writeHead(...head);
    }
  }
  const { request, response } = application;
  application.request = Object.setPrototypeOf(ExpressRequest.prototype, request) as typeof request;
  application.response = Object.setPrototypeOf(ExpressResponse.prototype, response) as typeof response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** True where nothing but the JSON is to be sent: no type, no entity tag and no status of a handler's own. */
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

/** Before it listens: bounds slow callers and how many there are, and puts every request target into the one form the router understands. */
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

/** A target that needs no change, as nearly every one: a slash first, nothing to encode and no fragment. */
const PLAIN = /^\/[!"$-~]*$/;

/**
 * A path with query, whichever form of request target was sent (RFC 9112 section 3.2). Express answers targets
 * it cannot parse by itself, before any middleware, outside our error shape.
 */
function originForm(target: string): string {
  if (PLAIN.test(target)) return target;
  const [beforeFragment = ''] = target.split('#');
  const path = beforeFragment
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return path.startsWith('/') ? path : `/${path}`;
}
