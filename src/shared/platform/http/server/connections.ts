import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of one connection that are sent ahead of answers (docs/reference/limits.md). No known client sends any. */
const MAX_AHEAD = 16;

/** The state of an open connection. */
interface Connection {
  unfinished: ServerResponse[];
  /** Requests that came in this turn of the event loop: whoever waits for an answer sends the next one in a later turn. */
  inTurn: number;
  turn: number;
}

/**
 * The connections of a server, bounded in number. A crowd that opens more of them than there may be closes its own and not
 * the door: the connection that has waited longest for a request makes room, and one that is being answered only where none
 * waits. Node's `maxConnections` would turn away whoever comes next instead.
 */
export class Connections {
  private readonly open = new WeakMap<Duplex, Connection>();
  /** Connections that wait for a request, also for the rest of its headers; the longest waiting first. */
  private readonly waiting = new Set<Duplex>();
  /** Connections with requests that are being answered; the longest serving first. */
  private readonly serving = new Set<Duplex>();
  private turn = 0;
  private isTurnCounted = false;

  constructor(private readonly most: number) {}

  /** Before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { unfinished: [], inTurn: 0, turn: -1 });
      this.waiting.add(socket);
      socket.once('close', () => this.forget(socket));
      if (this.waiting.size + this.serving.size > this.most) this.makeRoom();
    });
    const answered = this.answered.bind(this);
    // One function for all responses: a new one for each would cost more than the rest.
    const onClose = function onClose(this: ServerResponse) {
      answered(this);
    };
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (socket.destroyed) return;
      this.begin(socket, response);
      response.once('close', onClose);
    });
  }

  /** Responses of this connection that are not finished, in the order of their requests. */
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
    // What the parser has read already still arrives here as requests, and is answered by nobody (`HttpAdapter`).
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

  /** A number for this turn of the event loop. */
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
    // The newest waits too, and is the last to go.
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
