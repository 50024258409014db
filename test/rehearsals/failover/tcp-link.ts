import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Direction = 'toServer' | 'toClient';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * A way to a server's port that can be cut. What is sent over a cut way arrives once it is whole again, as TCP repeats what was
 * lost; until then neither side hears that anything is wrong.
 */
export class TcpLink {
  private readonly pairs = new Set<Pair>();
  private readonly lost = new Set<Socket>();
  private readonly cutDirections = new Set<Direction>();

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

  /** New connections lead there. */
  point(port: number): void {
    this.target = port;
  }

  cut(...directions: Direction[]): void {
    for (const direction of directions) this.cutDirections.add(direction);
    for (const pair of this.pairs) this.apply(pair);
  }

  /** Connections that ended meanwhile end on both sides. */
  heal(): void {
    this.cutDirections.clear();
    for (const pair of this.pairs) this.apply(pair);
  }

  /** The connections that there are carry nothing from now on, and nobody ends them: their machine is gone. */
  lose(): void {
    for (const { client, server } of this.pairs) {
      client.removeAllListeners('data').resume();
      server
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      client.removeAllListeners('close').on('close', () => this.lost.delete(client));
      this.lost.add(client);
    }
    this.pairs.clear();
  }

  /** Resets the connections that there are. */
  sever(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    for (const client of this.lost) client.destroy();
    this.pairs.clear();
  }

  close(): void {
    this.listener.close();
    this.sever();
  }

  private join(client: Socket): void {
    const pair: Pair = { client, server: connect(this.target, '127.0.0.1') };
    this.pairs.add(pair);
    for (const [socket, other] of [
      [client, pair.server],
      [pair.server, client],
    ] as const) {
      socket.setNoDelay(true).on('data', (chunk) => other.write(chunk));
      socket.on('error', () => undefined).on('close', () => this.apply(pair));
    }
    this.apply(pair);
  }

  private apply(pair: Pair): void {
    const isCut = (direction: Direction) => this.cutDirections.has(direction);
    for (const [socket, other, direction] of [
      [pair.client, pair.server, 'toServer'],
      [pair.server, pair.client, 'toClient'],
    ] as const) {
      if (isCut(direction)) socket.pause();
      else if (socket.destroyed) other.destroy();
      else socket.resume();
    }
    if (pair.client.destroyed && pair.server.destroyed) this.pairs.delete(pair);
  }
}
