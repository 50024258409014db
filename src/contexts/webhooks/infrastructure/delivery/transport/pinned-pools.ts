import { rootCertificates } from 'node:tls';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';

/** Only frees the socket. The deadline ends the attempt, because undici's timers are imprecise. */
const CONNECT_MS = 3_000;
const MAX_RESPONSE_BYTES = 20_000;
/** About twice the size of a maximum body in one-byte chunks with 16 kB of headers. */
const MAX_BYTES_ON_THE_WIRE = 256_000;

export interface PinnedPoolsOptions {
  /** Maximum number of open pools. The least recently used pool is closed first, after its requests have ended. */
  readonly maxPools: number;
  readonly connectionsPerPool: number;
  /** PEM. Accepted in addition to the public certificate authorities. */
  readonly certificateAuthorities: readonly string[];
}

/**
 * Keep-alive connections by origin and address. A pool never resolves its host again: it connects only to its address, while
 * TLS verifies the host name (RFC 9110, section 4.3.4).
 */
export class PinnedPools {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PinnedPoolsOptions) {}

  /** @param address validated for the origin's host */
  pool(origin: string, address: string): Pool {
    const key = `${origin} ${address}`;
    const pool = this.pools.get(key) ?? this.open(origin, address);
    // Moves the pool to the end. The Map is ordered by last use.
    this.pools.delete(key);
    this.pools.set(key, pool);
    if (this.pools.size > this.options.maxPools) this.dropOldest();
    return pool;
  }

  get size(): number {
    return this.pools.size;
  }

  /** Aborts running requests. */
  async destroy(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private open(origin: string, address: string): Pool {
    return new Pool(origin, {
      connections: this.options.connectionsPerPool,
      pipelining: 1,
      maxResponseSize: MAX_RESPONSE_BYTES,
      // A receiver that announces no keep-alive timeout may close a connection at any time. A request sent at that moment is
      // lost.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 60_000,
      connect: this.connectorTo(address),
    });
  }

  private connectorTo(address: string): buildConnector.connector {
    const { certificateAuthorities } = this.options;
    const extra = certificateAuthorities.length > 0;
    const connect = buildConnector({
      lookup: always(address),
      autoSelectFamily: false,
      timeout: CONNECT_MS,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot disable it.
      rejectUnauthorized: true,
      ...(extra ? { ca: [...rootCertificates, ...certificateAuthorities] } : {}),
    });
    return (options, done) =>
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        // On errors, undici passes no socket, although its types declare null.
        if (socket) {
          limitAnswers(socket, MAX_BYTES_ON_THE_WIRE);
          failOnReset(socket);
        }
        done(...outcome);
      });
  }

  private dropOldest(): void {
    const [[key, pool]] = this.pools as unknown as [[string, Pool]];
    this.pools.delete(key);
    void pool.close();
  }
}

function always(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

export class AnswerTooLong extends Error {}

/**
 * Closes the connection when one response exceeds `maxBytes`. The limit covers all bytes, because HTTP allows unlimited data
 * outside the body: informational responses, and extensions and padding of chunks.
 * @param maxBytes counted on the network, including TLS
 */
export function limitAnswers(socket: Socket, maxBytes: number): void {
  // All bytes read belong to the request that was written last.
  let written = socket.bytesWritten;
  let read = socket.bytesRead;
  let readBefore = read;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) readBefore = read;
    written = socket.bytesWritten;
    read = socket.bytesRead;
    if (read - readBefore > maxBytes) socket.destroy(new AnswerTooLong());
  });
}

/**
 * Makes a connection reset fail the response. undici treats ECONNRESET as the end of a response without a length, although the
 * rest may be lost (RFC 9112, section 8). Other error codes fail it.
 */
export function failOnReset(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'RESET';
  });
}
