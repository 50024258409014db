import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A receiver's behaviour until it recovers. */
export interface Misbehaviour {
  /** Nothing accepts its connections, and its backlog is full. */
  readonly acceptsNothing?: true;
  /** With each connection as it comes, before TLS. */
  readonly accept?: (socket: Socket) => void;
  /** With each request, once it has arrived. */
  readonly answer?: (stream: Duplex) => void;
  /** Speaks TLS, with this certificate until it gets well. */
  readonly certificate?: Certificate;
}

export interface Arrival {
  /** A time of this process's monotonic clock, in milliseconds. */
  readonly at: number;
  readonly head: string;
  readonly body: string;
}

/** A merchant's endpoint on 127.0.0.1 that misbehaves below HTTP, and then answers as it should. */
export class MisbehavingReceiver {
  /** When connections were accepted. */
  readonly connections: { readonly at: number }[] = [];
  /** Complete requests. */
  readonly requests: Arrival[] = [];
  readonly open = new Set<Socket>();
  /** Bytes that each connection that has ended could send. */
  readonly sent: number[] = [];
  port = 0;
  private isWell = false;
  private readonly server: Server = createServer((socket) => this.take(socket));
  private readonly tls: TlsServer | null = null;
  private busy: { process: ChildProcess; fillers: Socket[] } | null = null;

  constructor(
    private readonly misbehaviour: Misbehaviour,
    private readonly rightCertificate: Certificate,
  ) {
    if (misbehaviour.certificate === undefined) return;
    this.tls = createTlsServer(misbehaviour.certificate, (stream) => this.serve(stream));
    this.tls.on('tlsClientError', () => undefined);
  }

  async start(): Promise<this> {
    if (this.misbehaviour.acceptsNothing) this.port = await this.listenWithoutAccepting();
    else await this.listen();
    return this;
  }

  async getWell(): Promise<void> {
    if (this.isWell) return;
    this.isWell = true;
    this.tls?.setSecureContext(this.rightCertificate);
    if (this.busy === null) return;
    await this.stopBeingBusy();
    await this.listen();
  }

  async close(): Promise<void> {
    await this.stopBeingBusy();
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async listen(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private take(socket: Socket): void {
    this.connections.push({ at: performance.now() });
    this.open.add(socket.on('error', () => undefined));
    socket.once('close', () => {
      this.open.delete(socket);
      this.sent.push(socket.bytesWritten);
    });
    if (this.misbehaviour.accept !== undefined && !this.isWell) this.misbehaviour.accept(socket);
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
      const body = Buffer.from(received.slice(head.length, head.length + length), 'latin1').toString();
      received = received.slice(head.length + length);
      this.requests.push({ at: performance.now(), head, body });
      if (this.isWell) stream.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      else this.misbehaviour.answer?.(stream);
    });
  }

  /** The kernel completes handshakes until the backlog is full, and drops further ones: these hang. */
  private async listenWithoutAccepting(): Promise<number> {
    const program = `require('node:net').createServer().listen(0, '127.0.0.1', 1, function () {
      process.stdout.write(this.address().port + '\\n', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    })`;
    const process_ = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(process_.stdout, 'data')) as [Buffer];
    const port = Number(line.toString());
    const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    this.busy = { process: process_, fillers };
    // Two fit; with them connected, the backlog is full.
    await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
    return port;
  }

  private async stopBeingBusy(): Promise<void> {
    if (this.busy === null) return;
    const { process: process_, fillers } = this.busy;
    this.busy = null;
    for (const socket of fillers) socket.destroy();
    process_.kill('SIGKILL');
    await once(process_, 'exit');
  }
}
