import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

export interface Sent {
  method: string;
  /** Path and query as they go on the wire, percent-encoded already. */
  target: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Source address; any of 127.0.0.0/8 where the service listens on loopback. */
  from?: string;
}

export interface Received {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  /** Null where the answer is no JSON object. */
  json: Record<string, unknown> | null;
}

const AT_ONCE = 16;
const WITHIN = 90_000;

/** Sends what an ordinary client would refuse to, over a few kept connections. */
export class HostileHttp {
  sent = 0;
  private readonly agent: Agent;

  /** @param sockets how many requests are under way at once, at most */
  constructor(
    private readonly url: string,
    sockets = AT_ONCE,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  send({ method, target, headers = {}, body, from }: Sent): Promise<Received> {
    this.sent += 1;
    const { hostname, port } = new URL(this.url);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: target,
          headers: { ...length, ...headers },
          agent: this.agent,
          timeout: WITHIN,
          ...(from === undefined ? {} : { localAddress: from }),
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: answer.statusCode!, headers: answer.headers, text, json: objectIn(text) });
          });
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('No answer in time.')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  atOnce = AT_ONCE,
): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown> | null)
      : null;
  } catch {
    return null;
  }
}
