import { rootCertificates } from 'node:tls';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { failOnReset, limitAnswers } from './answer-limits.js';

/** Only frees the socket: undici's timers are coarse, and the deadline must be what ends the attempt. */
const CONNECT_MS = 3_000;
const MAX_RESPONSE_BYTES = 20_000;
/** Such a body in chunks of one byte each, and headers of 16 kB, take about half of it. */
const MAX_BYTES_ON_THE_WIRE = 256_000;

export interface PinnedPoolsOptions {
  /** Most pools kept; the one unused for longest goes first, after its requests have ended. */
  readonly maxPools: number;
  readonly connectionsPerPool: number;
  /** PEM, beside the public ones. */
  readonly certificateAuthorities: readonly string[];
}

/**
 * Kept-alive connections by origin and address. A pool never looks its host up again: whatever the name resolves to
 * meanwhile, it connects to the address it was made for, while TLS still asks for the name (RFC 9110, section 4.3.4).
 */
export class PinnedPools {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: PinnedPoolsOptions) {}

  /** @param address one that was judged allowed for the origin's host */
  pool(origin: string, address: string): Pool {
    const key = `${origin} ${address}`;
    const pool = this.pools.get(key) ?? this.open(origin, address);
    // Deleting before setting moves it to the end: a Map's order is the order of use.
    this.pools.delete(key);
    this.pools.set(key, pool);
    if (this.pools.size > this.options.maxPools) this.dropOldest();
    return pool;
  }

  get size(): number {
    return this.pools.size;
  }

  /** Breaks what is still running off. */
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
      // A receiver that does not say how long it keeps a connection may close it at any time, and a request
      // that is sent at that moment is lost.
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
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED in the environment would turn it off.
      rejectUnauthorized: true,
      ...(extra ? { ca: [...rootCertificates, ...certificateAuthorities] } : {}),
    });
    return (options, done) =>
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        // undici leaves it out where it says null.
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
