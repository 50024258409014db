import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy to a server's port. The server can be replaced, and its connections can become silent. */
export class TcpLink {
  private readonly pairs = new Map<Socket, Socket>();
  private readonly lost = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    private target: number,
  ) {}

  static async to(port: number): Promise<TcpLink> {
    const listener = createServer();
    const link = new TcpLink(listener, port);
    listener.on('connection', (client) => link.join(client));
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** New connections lead to this port. */
  point(port: number): void {
    this.target = port;
  }

  /** Present connections transfer nothing from now on and are not closed, as if the server had lost its power. */
  lose(): void {
    for (const [client, server] of this.pairs) {
      client.removeAllListeners('data').removeAllListeners('close').resume();
      client.on('close', () => this.lost.delete(client));
      server.removeAllListeners('close').destroy();
      this.lost.add(client);
    }
    this.pairs.clear();
  }

  close(): void {
    this.listener.close();
    for (const socket of [...this.pairs.keys(), ...this.pairs.values(), ...this.lost]) socket.destroy();
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    this.pairs.set(client, server);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('data', (chunk) => other.write(chunk));
      socket.on('close', () => {
        other.destroy();
        this.pairs.delete(client);
      });
    }
  }
}
