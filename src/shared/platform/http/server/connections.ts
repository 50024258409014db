import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests of one connection that wait for their answers (docs/api/limits.md). No known client sends ahead. */
const MOST_UNANSWERED = 16;

/**
 * The connections of a server, bounded in number. A crowd that opens more of them than there may be closes its own and not
 * the door: the connection that has waited longest for a request makes room, and one that is being answered only where none
 * waits. Node's `maxConnections` would turn away whoever comes next instead.
 */
export class Connections {
  /** Those that wait for a request, also for the rest of its headers; the longest waiting first. */
  private readonly waiting = new Set<Duplex>();
  /** Those with requests that are being answered; the longest serving first. */
  private readonly serving = new Map<Duplex, ServerResponse[]>();

  constructor(private readonly most: number) {}

  /** Before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => {
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
      this.begin(socket, response);
      response.once('close', onClose);
    });
  }

  /** Responses of this connection that are not finished, in the order of their requests. */
  unfinished(socket: Duplex): readonly ServerResponse[] {
    return this.serving.get(socket) ?? [];
  }

  private begin(socket: Socket, response: ServerResponse): void {
    this.waiting.delete(socket);
    const before = this.serving.get(socket);
    if (before === undefined) this.serving.set(socket, [response]);
    else if (before.length < MOST_UNANSWERED) before.push(response);
    // What the parser has read already still arrives here as requests, and is answered by nobody (`HttpAdapter`).
    else socket.destroy();
  }

  private answered(response: ServerResponse): void {
    const { socket } = response.req;
    const left = this.serving.get(socket)?.filter((one) => one !== response) ?? [];
    if (left.length > 0) {
      this.serving.set(socket, left);
      return;
    }
    this.serving.delete(socket);
    if (!socket.destroyed) this.waiting.add(socket);
  }

  private makeRoom(): void {
    const [longest] = this.waiting;
    const [busiest] = this.serving.keys();
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
