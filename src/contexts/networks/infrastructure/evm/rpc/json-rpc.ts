import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Endpoint } from '../../../domain/endpoint.js';
import { isEvm } from '../evm-network.js';
import { NetworksSettings, type RpcPatience } from '../../networks-settings.js';
import { AdaptiveSize } from './adaptive-size.js';
import { type RpcCall, envelope, failureOf, readBatch, readSingle } from './rpc-envelope.js';
import { EndpointFailure, isFinal, isTooMuch } from './rpc-failures.js';
import { RpcTransport, mostBytesFor } from './rpc-transport.js';

/** Pieces of one batch that are under way at the same time. */
const PIECES_AT_ONCE = 4;
const CALLS_AT_ONCE = 100;

interface Line {
  readonly transport: RpcTransport;
  /** How many calls a batch may have, by what is asked. */
  readonly sizes: Map<string, AdaptiveSize>;
}

/** Asks one endpoint; which one is the caller's choice. Of an endpoint it remembers only how long its batches may be. */
@Injectable()
export class JsonRpc {
  private readonly lines = new Map<Endpoint, Line>();
  private readonly byNetwork: ReadonlyMap<string, readonly Endpoint[]>;
  private readonly patience: RpcPatience;
  private lastId = 0;

  constructor({ networks, patience }: NetworksSettings) {
    this.patience = patience;
    this.byNetwork = new Map(
      networks.filter(isEvm).map(({ network, rpcUrls }) => [
        network,
        rpcUrls.map((url, position) => {
          const endpoint = { network, position, name: new URL(url).host };
          const transport = new RpcTransport(url, patience.callTimeoutMs);
          this.lines.set(endpoint, { transport, sizes: new Map() });
          return endpoint;
        }),
      ]),
    );
  }

  /** In the order of the configuration and always the same objects; none for a network that is not configured. */
  endpoints(network: string): readonly Endpoint[] {
    return this.byNetwork.get(network) ?? [];
  }

  /** Tries again with back-off, also when an answer is malformed. @throws ChainUnavailable and nothing else */
  call<T>(endpoint: Endpoint, call: RpcCall<T>): Promise<T> {
    return this.again(() => this.callOnce(endpoint, call));
  }

  /** @throws ChainUnavailable and nothing else */
  async callOnce<T>(endpoint: Endpoint, call: RpcCall<T>): Promise<T> {
    const id = (this.lastId += 1);
    try {
      const body = JSON.stringify(envelope(id, call));
      return readSingle(call, id, await this.line(endpoint).transport.post(body, mostBytesFor([call])));
    } catch (error) {
      throw failureOf(endpoint, call.method, error);
    }
  }

  /**
   * Calls of one method by JSON-RPC batches, cut in pieces as small as the endpoint wants them; one by one where it
   * takes no batches. Tries again as `call` does.
   * @param atOnce longest piece; calls with large answers want a small one
   * @returns in the order of `calls` @throws ChainUnavailable and nothing else, when any of them fails
   */
  async batch<T>(endpoint: Endpoint, calls: readonly RpcCall<T>[], atOnce = CALLS_AT_ONCE): Promise<T[]> {
    const size = this.size(endpoint, calls[0]?.method, atOnce);
    const results = new Array<T>(calls.length);
    let next = 0;
    let failed = false;
    const work = async (): Promise<void> => {
      while (next < calls.length && !failed) {
        const from = next;
        next += Math.min(size.now, calls.length - from);
        const piece = await this.piece(endpoint, calls.slice(from, next), size);
        piece.forEach((result, i) => (results[from + i] = result));
      }
    };
    const workers = Array.from({ length: PIECES_AT_ONCE }, () =>
      work().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    );
    await Promise.all(workers);
    return results;
  }

  /** One piece, cut further where it turns out too long. */
  private async piece<T>(endpoint: Endpoint, calls: readonly RpcCall<T>[], size: AdaptiveSize): Promise<T[]> {
    const results: T[] = [];
    while (results.length < calls.length) {
      const some = calls.slice(results.length, results.length + size.now);
      const [only] = some;
      if (some.length === 1 && only !== undefined) {
        results.push(await this.call(endpoint, only));
        size.succeeded(1);
        continue;
      }
      try {
        const answers = await this.again(() => this.batchOnce(endpoint, some), isTooMuch);
        for (const answer of answers) results.push(answer);
        size.succeeded(some.length);
      } catch (error) {
        if (!(error instanceof EndpointFailure) || !isTooMuch(error)) throw error;
        size.narrow(some.length);
        // Each further try would wait as long again for an endpoint that is perhaps dead: the next turn asks for less.
        if (error.kind === 'timeout') throw error;
      }
    }
    return results;
  }

  /** One message, which is neither cut nor sent again. @throws ChainUnavailable and nothing else */
  async batchOnce<T>(endpoint: Endpoint, calls: readonly RpcCall<T>[]): Promise<T[]> {
    const firstId = this.lastId + 1;
    this.lastId += calls.length;
    try {
      const body = JSON.stringify(calls.map((call, i) => envelope(firstId + i, call)));
      return readBatch(calls, firstId, await this.line(endpoint).transport.post(body, mostBytesFor(calls)));
    } catch (error) {
      throw failureOf(endpoint, calls[0]?.method ?? 'a batch', error);
    }
  }

  /** @param hopeless what is not worth the same question again */
  private async again<T>(
    ask: () => Promise<T>,
    hopeless: (failure: EndpointFailure) => boolean = () => false,
  ): Promise<T> {
    for (const pause of this.patience.retryAfterMs) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof EndpointFailure) || isFinal(error) || hopeless(error)) throw error;
        await sleep(pause);
      }
    }
    return ask();
  }

  private size(endpoint: Endpoint, method: string | undefined, atOnce: number): AdaptiveSize {
    const { sizes } = this.line(endpoint);
    const key = `${method} ${atOnce}`;
    let size = sizes.get(key);
    if (size === undefined) sizes.set(key, (size = new AdaptiveSize(atOnce, atOnce)));
    return size;
  }

  private line(endpoint: Endpoint): Line {
    const line = this.lines.get(endpoint);
    if (line === undefined) throw new Error('An endpoint comes from `endpoints`, and from nowhere else.');
    return line;
  }
}
