import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PaymentCollectionClient, type ClientOptions } from '../../src/index.js';

export interface ReceivedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** HTTP server that returns scripted responses. */
export class ScriptedApi {
  /** Requests in order of complete receipt, without token exchanges. */
  readonly requests: ReceivedRequest[] = [];
  readonly exchanges: ReceivedRequest[] = [];
  /** Response to token exchanges. Default: token 1, token 2 and so on, each valid for an hour. */
  exchange: Answer = (...given) => succeed(aToken(`token ${this.exchanges.length}`))(...given);
  private readonly queued: Answer[] = [];
  private last: Answer = succeed({});
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      const isExchange = path === '/v1/auth/token';
      (isExchange ? this.exchanges : this.requests).push(received);
      const answer = isExchange ? this.exchange : (this.queued.shift() ?? this.last);
      answer(response, received);
    });
  });

  static async start(): Promise<ScriptedApi> {
    const api = new ScriptedApi();
    api.server.listen(0, '127.0.0.1');
    await once(api.server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the responses to the next requests. The last one is repeated. */
  answers(...answers: Answer[]): void {
    this.queued.splice(0, this.queued.length, ...answers);
    this.last = answers.at(-1)!;
  }

  /** Creates a client that retries after milliseconds instead of seconds. */
  client(options: Partial<ClientOptions> = {}): PaymentCollectionClient {
    const retries = { firstDelay: 2, ...options.retries };
    return new PaymentCollectionClient({
      ...{ baseUrl: this.url, apiKey: 'svc.dev.1', apiSecret: 'the secret' },
      ...options,
      retries,
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

export function aToken(token: string, seconds = 3_600) {
  return { token, token_type: 'Bearer', expired_at: new Date(Date.now() + seconds * 1_000).toISOString() };
}

/** JWT whose lifetime by `exp` and `iat` is this many seconds. */
export function jwt(id: number, seconds: number): string {
  const claims = Buffer.from(JSON.stringify({ id, iat: 1_000, exp: 1_000 + seconds })).toString('base64url');
  return `e30.${claims}.c2ln`;
}

export function succeed(data: unknown): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: 'success', data }));
  };
}

export function fail(
  status: number,
  code: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; errors?: object[] } = {},
): Answer {
  return (response) => {
    const body = { status: 'error', code, message: `This is ${code}.`, request_id: 'request-1', ...more };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Reads the request and closes the connection without a response. */
export const hangUp: Answer = (response) => void response.destroy();
/** Sends a truncated successful response. */
export const breakOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"status":"success",', () => response.destroy());
};
