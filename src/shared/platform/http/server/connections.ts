import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Maximum number of pipelined requests on a connection (docs/reference/limits.md). No known client pipelines. */
const MAX_AHEAD = 16;

interface Connection {
  unfinished: ServerResponse[];
  /**
   * Requests received in this event loop iteration. A client that waits for its answers sends the next request in a later
   * iteration.
   */
  inTurn: number;
  turn: number;
}

/**
 * Limits the number of open connections. At the limit, the connection that has waited longest for a request is closed; if
 * none waits, one that is being answered. Clients that open many connections thus close their own, whereas Node's
 * `maxConnections` would reject new clients.
 */
export class Connections {
  private readonly open = new WeakMap<Duplex, Connection>();
  /** Connections waiting for a request or the rest of its headers; longest waiting first. */
  private readonly waiting = new Set<Duplex>();
  /** Connections with unanswered requests; longest serving first. */
  private readonly serving = new Set<Duplex>();
  private turn = 0;
  private isTurnCounted = false;

  constructor(private readonly most: number) {}

  /** Call before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { unfinished: [], inTurn: 0, turn: -1 });
      this.waiting.add(socket);
      socket.once('close', () => this.forget(socket));
      if (this.waiting.size + this.serving.size > this.most) this.makeRoom();
    });
    const answered = this.answered.bind(this);
    // One function for all responses, because creating one per response costs more than the remaining work.
    const onClose = function onClose(this: ServerResponse) {
      answered(this);
    };
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (socket.destroyed) return;
      this.begin(socket, response);
      response.once('close', onClose);
    });
  }

  /** Returns the unfinished responses of this connection, in request order. */
  unfinished(socket: Duplex): readonly ServerResponse[] {
    return this.open.get(socket)?.unfinished ?? [];
  }

  private begin(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    const turn = this.thisTurn();
    connection.inTurn = connection.turn === turn ? connection.inTurn + 1 : 1;
    connection.turn = turn;
    connection.unfinished.push(response);
    // Requests that the parser has already read still arrive after this; `HttpAdapter` does not answer them.
    if (connection.inTurn > MAX_AHEAD || connection.unfinished.length > MAX_AHEAD) socket.destroy();
    else if (this.waiting.delete(socket)) this.serving.add(socket);
  }

  private answered(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.unfinished = connection.unfinished.filter((one) => one !== response);
    if (connection.unfinished.length === 0 && this.serving.delete(socket)) this.waiting.add(socket);
  }

  /** Returns a number for this event loop iteration. */
  private thisTurn(): number {
    if (!this.isTurnCounted) {
      this.isTurnCounted = true;
      setImmediate(() => {
        this.turn += 1;
        this.isTurnCounted = false;
      });
    }
    return this.turn;
  }

  private makeRoom(): void {
    const [longest] = this.waiting;
    const [busiest] = this.serving;
    // The new connection also waits, and is the last choice.
    const victim = this.waiting.size > 1 ? longest : (busiest ?? longest);
    if (victim === undefined) return;
    this.forget(victim);
    victim.destroy();
  }

  private forget(socket: Duplex): void {
    this.waiting.delete(socket);
    this.serving.delete(socket);
  }
}
