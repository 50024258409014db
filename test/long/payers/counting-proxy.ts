import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '#sandbox/processes/loopback-server.js';

/** Stands before the service and writes down what browsers ask for, icons too, which their own tools keep quiet about. */
export class CountingProxy {
  readonly asked: string[] = [];

  /** @param target the origin that is asked; another one may take its place */
  private constructor(
    private readonly server: Server,
    public target: string,
  ) {}

  static async before(origin: string): Promise<CountingProxy> {
    const server = createServer();
    const proxy = new CountingProxy(server, origin);
    server.on('request', (asked, answer) => {
      proxy.asked.push(asked.url!);
      const { method, headers } = asked;
      const onward = request(new URL(asked.url!, proxy.target), { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }
}
