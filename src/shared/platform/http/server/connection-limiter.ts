import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests sent before the answers (docs/reference/limits.md). No known client sends more than one. */
const MAX_PIPELINED_REQUESTS = 16;

interface ConnectionState {
  unfinishedResponses: ServerResponse[];
  /** Requests received in the event loop iteration `turn`. */
  inTurn: number;
  turn: number;
}

/**
 * At the limit, closes the connection that has waited longest or, if none waits, the one whose request has run
 * longest. Node's `maxConnections` would reject new clients instead.
 */
export class ConnectionLimiter {
  private readonly open = new WeakMap<Duplex, ConnectionState>();
  private readonly waiting = new Set<Duplex>();
  private readonly serving = new Set<Duplex>();
  private turn = 0;
  private isTurnCounted = false;

  constructor(private readonly most: number) {}

  attachTo(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { unfinishedResponses: [], inTurn: 0, turn: -1 });
      this.waiting.add(socket);
      socket.once('close', () => this.removeConnection(socket));
      if (this.waiting.size + this.serving.size > this.most) this.closeOneConnection();
    });
    const answered = this.answered.bind(this);
    // One function for all responses, because creating one per response is slow.
    const onClose = function onClose(this: ServerResponse) {
      answered(this);
    };
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      if (socket.destroyed) return;
      this.beginRequest(socket, response);
      response.once('close', onClose);
    });
  }

  unfinishedResponses(socket: Duplex): readonly ServerResponse[] {
    return this.open.get(socket)?.unfinishedResponses ?? [];
  }

  private beginRequest(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    const turn = this.currentLoopIteration();
    connection.inTurn = connection.turn === turn ? connection.inTurn + 1 : 1;
    connection.turn = turn;
    connection.unfinishedResponses.push(response);
    // Requests already read by the parser still arrive after the connection is destroyed.
    if (
      connection.inTurn > MAX_PIPELINED_REQUESTS ||
      connection.unfinishedResponses.length > MAX_PIPELINED_REQUESTS
    )
      socket.destroy();
    else if (this.waiting.delete(socket)) this.serving.add(socket);
  }

  private answered(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.unfinishedResponses = connection.unfinishedResponses.filter((one) => one !== response);
    if (connection.unfinishedResponses.length === 0 && this.serving.delete(socket)) this.waiting.add(socket);
  }

  private currentLoopIteration(): number {
    if (!this.isTurnCounted) {
      this.isTurnCounted = true;
      setImmediate(() => {
        this.turn += 1;
        this.isTurnCounted = false;
      });
    }
    return this.turn;
  }

  private closeOneConnection(): void {
    const [longest] = this.waiting;
    const [busiest] = this.serving;
    // The new connection also waits for a request, but is closed only if there is no other.
    const victim = this.waiting.size > 1 ? longest : (busiest ?? longest);
    if (victim === undefined) return;
    this.removeConnection(victim);
    victim.destroy();
  }

  private removeConnection(socket: Duplex): void {
    this.waiting.delete(socket);
    this.serving.delete(socket);
  }
}
