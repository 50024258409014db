import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';

export interface Misbehaviour {
  /** Takes each connection before TLS. */
  readonly accept?: (socket: Socket) => void;
  /** Answers each complete request. */
  readonly answer?: (stream: Duplex) => void;
  /** Speaks TLS with this certificate. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

/** A merchant's endpoint on 127.0.0.1 that misbehaves below HTTP. */
export class MisbehavingReceiver {
  /** Complete requests. */
  requests = 0;
  readonly open = new Set<Socket>();
  port = 0;
  private readonly server = createServer((socket) => this.take(socket));
  private readonly tls: TlsServer | null = null;

  constructor(private readonly misbehaviour: Misbehaviour) {
    if (misbehaviour.certificate === undefined) return;
    this.tls = createTlsServer(misbehaviour.certificate, (stream) => this.serve(stream));
    this.tls.on('tlsClientError', () => undefined);
  }

  async start(): Promise<this> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(socket: Socket): void {
    this.open.add(socket.on('error', () => undefined));
    socket.once('close', () => this.open.delete(socket));
    if (this.misbehaviour.accept !== undefined) this.misbehaviour.accept(socket);
    else if (this.tls !== null) this.tls.emit('connection', socket);
    else this.serve(socket);
  }

  private serve(stream: Duplex): void {
    let received = '';
    stream.on('error', () => undefined);
    stream.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const head = /^[^]*?\r\n\r\n/.exec(received)?.[0];
      const length = Number(/^content-length: (\d+)\r$/im.exec(head ?? '')?.[1]);
      if (head === undefined || received.length < head.length + length) return;
      received = received.slice(head.length + length);
      this.requests += 1;
      this.misbehaviour.answer?.(stream);
    });
  }
}
