import { once } from 'node:events';
import { jest } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

/** Answers a request by hand, possibly wrongly. For a batch, `request` is its first call. */
export type Misbehaviour = (
  response: ServerResponse,
  request: RpcRequest,
  batch: readonly RpcRequest[] | null,
) => void;

export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** An HTTP server for JSON-RPC on a free port that records the requests it receives. */
export abstract class RpcServer {
  readonly asked: RpcRequest[] = [];
  readonly posts: number[] = [];
  private readonly server = createServer((incoming, response) => void this.take(incoming, response));

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  askedFor(method: string): RpcRequest[] {
    return this.asked.filter((request) => request.method === method);
  }

  protected async read(incoming: IncomingMessage): Promise<{ requests: RpcRequest[]; isBatch: boolean }> {
    const body = JSON.parse(await text(incoming)) as RpcRequest | RpcRequest[];
    const isBatch = Array.isArray(body);
    return { requests: isBatch ? body : [body], isBatch };
  }

  protected note(requests: readonly RpcRequest[]): void {
    this.asked.push(...requests);
    this.posts.push(requests.length);
  }

  protected abstract take(incoming: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A JSON-RPC node that returns only the answers that a test sets. */
export class StubNode extends RpcServer {
  private readonly results = new Map<string, (request: RpcRequest) => unknown>();
  private misbehaviour: Misbehaviour | null = null;
  private times = 0;

  answers(method: string, result: unknown): void {
    this.results.set(method, typeof result === 'function' ? (result as () => unknown) : () => result);
  }

  misbehaves(misbehaviour: Misbehaviour, times = Infinity): void {
    this.misbehaviour = misbehaviour;
    this.times = times;
  }

  /**
   * Makes timeouts wait until the request has reached the node, and then fire immediately. Lasts until
   * `jest.restoreAllMocks`.
   */
  isWaitedForOnlyOnceAsked(): void {
    const { posts } = this;
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const before = posts.length;
      const limit = new AbortController();
      const look = setInterval(() => {
        if (posts.length === before) return;
        clearInterval(look);
        limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      }, 20);
      return limit.signal;
    });
  }

  protected override async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { requests, isBatch } = await this.read(incoming);
    this.note(requests);
    if (this.misbehaviour !== null && this.times > 0) {
      this.times -= 1;
      this.misbehaviour(response, requests[0]!, isBatch ? requests : null);
      return;
    }
    const answers = requests.map((request) => this.answerTo(request));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isBatch ? answers : answers[0]));
  }

  answerTo(request: RpcRequest): object {
    try {
      const answer = this.results.get(request.method);
      if (answer === undefined) throw new Refusal(-32_601, `the method ${request.method} is not available`);
      return { jsonrpc: '2.0', id: request.id, result: answer(request) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { jsonrpc: '2.0', id: request.id, error: { code: error.code, message: error.message } };
    }
  }
}

/** Advances the monotonic clock by this time. Lasts until `jest.restoreAllMocks`. */
export function advanceMonotonicClock(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}
