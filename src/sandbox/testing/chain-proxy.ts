import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../processes/loopback-server.js';

/** A proxy between the wallet and its chain. The wallet's transport does not repeat by itself what the proxy refuses. */
export class ChainProxy {
  url = '';
  /** A method that is refused though the chain could answer. */
  refused: string | undefined;
  private readonly refusals = new Map<string, number>();
  private refusedAgain = () => {};
  private readonly server = createServer(async (request, response) => {
    const call = await text(request);
    const { method } = JSON.parse(call) as { method: string };
    const answer = method === this.refused ? undefined : await this.forward(call);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
    if (answer === undefined) this.countRefusal(method);
  });

  constructor(private readonly chainPort: number) {}

  async start(): Promise<void> {
    this.url = await listenOn(this.server, '127.0.0.1', 0);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  /** Resolves when a method is refused for the second time from now on: the wallet tried again after it had failed. */
  async seesRetry(): Promise<void> {
    this.refusals.clear();
    await new Promise<void>((resolve) => (this.refusedAgain = resolve));
  }

  private countRefusal(method: string): void {
    const count = (this.refusals.get(method) ?? 0) + 1;
    this.refusals.set(method, count);
    if (count > 1) this.refusedAgain();
  }

  private forward(call: string): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${this.chainPort}`, { method: 'POST', headers, body: call }).then(
      (answer) => answer.text(),
      () => undefined,
    );
  }
}
