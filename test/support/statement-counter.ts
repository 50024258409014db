import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** The process's own statements: when credentials were used, looks at the event log, which server answers, old attempts. */
export const isBackground = (text: string) =>
  /last_used_at|pg_current_snapshot|pg_control_system|DELETE FROM identity\.exchange_attempts/.test(text);

/** A way to PostgreSQL that notes every statement that a client has executed, by any kind of query. */
export class StatementCounter {
  readonly executed: string[] = [];

  private constructor(
    readonly url: string,
    private readonly close: () => void,
  ) {}

  static async open(databaseUrl: string): Promise<StatementCounter> {
    const target = new URL(databaseUrl);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
      const frontend = new FrontendMessages((text) => counter.executed.push(text));
      client.on('data', (chunk) => frontend.read(chunk));
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket
          .on('error', () => undefined)
          .on('close', () => [client, upstream].forEach((one) => one.destroy()));
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const counter: StatementCounter = new StatementCounter(url.href, () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return counter;
  }

  async during(work: () => Promise<unknown>): Promise<string[]> {
    const before = this.executed.length;
    await work();
    return this.executed.slice(before);
  }

  end(): void {
    this.close();
  }
}

/** Reads the client's half of PostgreSQL's protocol 3.0 (Message Formats): which text each Execute and Query runs. */
export class FrontendMessages {
  private rest: Buffer = Buffer.alloc(0);
  private started = false;
  private readonly statements = new Map<string, string>();
  private readonly portals = new Map<string, string>();

  constructor(private readonly onExecute: (text: string) => void) {}

  read(chunk: Buffer): void {
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      // The startup message alone has no type before its length.
      const head = this.started ? 1 : 0;
      if (this.rest.length < head + 4) return;
      const end = head + this.rest.readInt32BE(head);
      if (this.rest.length < end) return;
      const type = this.started ? String.fromCharCode(this.rest[0]!) : 'startup';
      const body = this.rest.subarray(head + 4, end);
      this.started = true;
      this.rest = this.rest.subarray(end);
      this.take(type, body);
    }
  }

  private take(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
    if (type === 'P') this.statements.set(first, second);
    if (type === 'B') this.portals.set(first, this.statements.get(second) ?? '?');
    if (type === 'E') this.onExecute(this.portals.get(first) ?? '?');
    if (type === 'Q') this.onExecute(first);
  }
}
