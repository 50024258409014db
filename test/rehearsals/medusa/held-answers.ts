import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A way to an HTTP server that keeps answers back when a test says so: what was asked is done, and nobody hears of it. */
export class HeldAnswers {
  private held:
    { readonly path: RegExp; readonly reached: () => void; readonly released: Promise<void> } | undefined;

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async before(target: string): Promise<HeldAnswers> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const way = new HeldAnswers(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { method, url = '', headers } = request;
      const onwards = ask(
        target + url,
        { method, headers },
        (answer) => void way.answer(url, answer, response),
      );
      onwards.on('error', () => response.destroy());
      request.pipe(onwards);
    });
    return way;
  }

  /** Keeps the next answer of a path back. @returns what resolves once it is there, and the end of keeping it */
  hold(path: RegExp): { reached: Promise<void>; release: () => void } {
    let [reach, release] = [() => {}, () => {}];
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    this.held = { path, reached: reach, released };
    return { reached, release };
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(url: string, answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const { held } = this;
    if (held?.path.test(url)) {
      this.held = undefined;
      held.reached();
      await held.released;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  }
}
