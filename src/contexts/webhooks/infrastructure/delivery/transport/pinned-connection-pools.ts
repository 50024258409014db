import { rootCertificates } from 'node:tls';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';

/** The transport's own deadline ends the attempt earlier. */
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_RESPONSE_BYTES = 20_000;
/** Twice a body of maximum size in one-byte chunks with 16 kB of headers. */
const MAX_RESPONSE_WIRE_BYTES = 256_000;

export interface PinnedConnectionPoolsOptions {
  /** Above it, the least recently used pool is closed when its requests have ended. */
  readonly maxPools: number;
  readonly connectionsPerPool: number;
  readonly certificateAuthorities: readonly string[];
}

/**
 * Connects only to the validated address and never resolves the host again; TLS verifies the host name (RFC 9110,
 * section 4.3.4).
 */
export class PinnedConnectionPools {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PinnedConnectionPoolsOptions) {}

  /** @param address validated */
  pool(origin: string, address: string): Pool {
    const key = `${origin} ${address}`;
    const pool = this.pools.get(key) ?? this.openPool(origin, address);
    this.pools.delete(key);
    this.pools.set(key, pool);
    if (this.pools.size > this.options.maxPools) this.closeLeastRecentlyUsed();
    return pool;
  }

  get size(): number {
    return this.pools.size;
  }

  async destroy(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private openPool(origin: string, address: string): Pool {
    return new Pool(origin, {
      connections: this.options.connectionsPerPool,
      pipelining: 1,
      maxResponseSize: MAX_RESPONSE_BYTES,
      // A receiver may close an idle connection at any time, and a request sent at that moment is lost.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 60_000,
      connect: this.connectorTo(address),
    });
  }

  private connectorTo(address: string): buildConnector.connector {
    const { certificateAuthorities } = this.options;
    const extra = certificateAuthorities.length > 0;
    const connect = buildConnector({
      lookup: resolveAlwaysTo(address),
      autoSelectFamily: false,
      timeout: CONNECT_TIMEOUT_MS,
      // NODE_TLS_REJECT_UNAUTHORIZED must not disable TLS verification.
      rejectUnauthorized: true,
      ...(extra ? { ca: [...rootCertificates, ...certificateAuthorities] } : {}),
    });
    return (options, done) =>
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        // After an error, undici passes undefined, although its types declare null.
        if (socket) {
          limitResponseBytes(socket, MAX_RESPONSE_WIRE_BYTES);
          failOnReset(socket);
        }
        done(...outcome);
      });
  }

  private closeLeastRecentlyUsed(): void {
    const [[key, pool]] = this.pools as unknown as [[string, Pool]];
    this.pools.delete(key);
    void pool.close();
  }
}

function resolveAlwaysTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

export class ResponseTooLong extends Error {}

/** Covers all bytes, because HTTP allows unlimited data outside the body. @param maxBytes including TLS */
export function limitResponseBytes(socket: Socket, maxBytes: number): void {
  // Bytes read since the last write belong to one response.
  let written = socket.bytesWritten;
  let read = socket.bytesRead;
  let readBefore = read;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) readBefore = read;
    written = socket.bytesWritten;
    read = socket.bytesRead;
    if (read - readBefore > maxBytes) socket.destroy(new ResponseTooLong());
  });
}

/**
 * undici treats ECONNRESET as the normal end of a response without a length, although part may be lost (RFC 9112,
 * section 8).
 */
export function failOnReset(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'RESET';
  });
}
