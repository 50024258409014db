import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { FrontendMessages } from './statement-counter.js';

/** Stores a key with its answer; a key that is merely held has none. */
const KEYED = /INTO platform\.idempotency_keys[^)]+\banswer\)/;
/** PostgreSQL's protocol 3.0, ReadyForQuery: outside any transaction, so that what was asked for is committed. */
const IDLE = 'I'.charCodeAt(0);

/** A way to PostgreSQL that keeps from its client that a transaction which stores an idempotency key is committed. */
export class WithholdingProxy {
  readonly committed: Promise<void>;

  private constructor(
    readonly url: string,
    committed: Promise<void>,
    readonly close: () => void,
  ) {
    this.committed = committed;
  }

  static async open(databaseUrl: string): Promise<WithholdingProxy> {
    const target = new URL(databaseUrl);
    const sockets = new Set<Socket>();
    let commit!: () => void;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    const server = createServer((client) => {
      const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
      let withheld: Buffer | null = null;
      const asked = new FrontendMessages((text) => {
        if (KEYED.test(text)) withheld ??= Buffer.alloc(0);
      });
      client.on('data', (chunk) => {
        asked.read(chunk);
        upstream.write(chunk);
      });
      upstream.on('data', (chunk) => {
        if (withheld === null) return void client.write(chunk);
        withheld = Buffer.concat([withheld, chunk]);
        const state = stateAtEnd(withheld);
        if (state === undefined) return;
        if (state === IDLE) return commit();
        // Its transaction goes on: what is answered so far is handed on.
        client.write(withheld);
        withheld = Buffer.alloc(0);
      });
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
    return new WithholdingProxy(url.href, committed, () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
  }
}

/** @returns the state of the transaction, where these messages end by ReadyForQuery */
function stateAtEnd(messages: Buffer): number | undefined {
  let at = 0;
  let state: number | undefined;
  while (at + 5 <= messages.length) {
    const end = at + 1 + messages.readInt32BE(at + 1);
    if (end > messages.length) return undefined;
    state = messages[at] === 'Z'.charCodeAt(0) ? messages[at + 5] : undefined;
    at = end;
  }
  return at === messages.length ? state : undefined;
}
