import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '#sandbox/processes/loopback-server.js';
import { jsonReply, type Ask, type Misbehaviour, type RpcAnswer, type RpcCall } from './rpc-wire.js';

/** A JSON-RPC server before a real node, which answers as badly as a test orders, from one moment to the next. */
export class RpcProxy {
  readonly calls = new Map<string, number>();
  /** How often each misbehaviour changed an answer: a test of one that never did shows nothing. */
  readonly misbehaved = new Map<string, number>();
  private active: readonly Misbehaviour[] = [];

  private constructor(
    private readonly server: Server,
    private readonly nodeUrl: string,
  ) {}

  static async before(nodeUrl: string): Promise<RpcProxy> {
    const server = createServer();
    const proxy = new RpcProxy(server, nodeUrl);
    server.on('request', (request, response) => {
      proxy.serve(request, response).catch((error: unknown) => {
        // The test may have stopped the node already.
        if (!response.destroyed) response.writeHead(502).end(String(error));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  misbehave(...misbehaviours: Misbehaviour[]): () => void {
    this.active = [...this.active, ...misbehaviours];
    return () => {
      this.active = this.active.filter((one) => !misbehaviours.includes(one));
    };
  }

  behave(): void {
    this.active = [];
  }

  callsOf(method: string): number {
    return this.calls.get(method) ?? 0;
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
    const calls = Array.isArray(asked) ? asked : [asked];
    for (const { method } of calls) this.calls.set(method, this.callsOf(method) + 1);

    // One answer has one manner, also where the test changes it meanwhile.
    const { active } = this;
    const ask = this.asked(active);
    const answers = await Promise.all(
      calls.map(async (call) => ({ jsonrpc: '2.0', id: call.id, ...(await ask(call)) })),
    );
    const exchange = { calls, isBatch: Array.isArray(asked) };
    let reply = jsonReply(exchange.isBatch ? answers : answers[0]);
    for (const one of active) {
      if (one.reply === undefined || !calls.some((call) => concerns(one, call))) continue;
      reply = this.counted(one, reply, one.reply(exchange, reply));
    }
    if (reply.send !== undefined) reply.send(response);
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  }

  private asked(active: readonly Misbehaviour[]): Ask {
    return active.reduce<Ask>(
      (ask, one) => async (call) => {
        if (one.answer === undefined || !concerns(one, call)) return ask(call);
        let good: RpcAnswer | undefined;
        const given = await one.answer(call, async (inner) => {
          const answer = await ask(inner);
          if (inner === call) good = answer;
          return answer;
        });
        return this.counted(one, good, given);
      },
      (call) => askNode(this.nodeUrl, call),
    );
  }

  private counted<T>({ name }: Misbehaviour, good: T | undefined, given: T): T {
    if (given !== good) this.misbehaved.set(name, (this.misbehaved.get(name) ?? 0) + 1);
    return given;
  }
}

function concerns({ methods }: Misbehaviour, { method }: RpcCall): boolean {
  return methods === undefined || methods.includes(method);
}

export async function askNode(url: string, { method, params }: RpcCall): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
  });
  const answer = (await response.json()) as RpcAnswer;
  return 'error' in answer ? { error: answer.error } : { result: answer.result };
}
