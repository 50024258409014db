import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

/** Answers by hand, as badly as it likes. */
export type Misbehaviour = (response: ServerResponse, request: RpcRequest) => void;

/** A JSON-RPC node that knows only what a test tells it. */
export class StubNode {
  readonly asked: RpcRequest[] = [];
  private readonly results = new Map<string, (request: RpcRequest) => unknown>();
  private misbehaviour: Misbehaviour | null = null;
  private times = 0;

  private readonly server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () =>
      this.answer(JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest, response),
    );
  });

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

  /** Every such call succeeds with this result. */
  answers(method: string, result: unknown): void {
    this.results.set(method, typeof result === 'function' ? (result as () => unknown) : () => result);
  }

  /** The next calls, all or so many, are answered by `misbehaviour`. */
  misbehaves(misbehaviour: Misbehaviour, times = Infinity): void {
    this.misbehaviour = misbehaviour;
    this.times = times;
  }

  private answer(request: RpcRequest, response: ServerResponse): void {
    this.asked.push(request);
    if (this.misbehaviour !== null && this.times > 0) {
      this.times -= 1;
      this.misbehaviour(response, request);
      return;
    }
    const result = this.results.get(request.method)?.(request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
  }
}
