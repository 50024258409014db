import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type SpanStart, runTracedInOpenSpan } from '#shared/platform/tracing/tracing.js';
import {
  NetworksSettings,
  type RpcClientOptions,
  type RpcStreamLimits,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { currentCallPurpose, type CallPurpose } from './call-purpose.js';
import { CallBudget } from './call-budget.js';
import { AdaptiveSize } from './adaptive-size.js';
import {
  type RpcCall,
  toJsonRpcRequest,
  toEndpointFailure,
  readBatchResponse,
  readResponse,
} from './rpc-envelope.js';
import {
  EndpointFailure,
  type RpcFailureKind,
  isRetryUseless,
  isLimitFailure,
  mayWorkWithSmallerRequest,
  mayBeTooLarge,
} from './rpc-failures.js';
import {
  type ConnectionSettings,
  LARGE_ANSWER_BYTES,
  RpcTransport,
  maxAnswerBytesFor,
} from './rpc-transport.js';
import { type StreamedCall, StreamedAnswer } from './streamed-answer.js';

const CONCURRENT_BATCHES = 4;
const CONCURRENT_CALLS = 100;
/** A caller that would have to wait longer asks another endpoint, or later. */
const MAX_PAUSE_MS = 5_000;
/** A node may need seconds to prepare its answer, and a block of 100 MB takes 80 s at 10 Mbit/s. */
const DEFAULT_STREAM_LIMITS: RpcStreamLimits = {
  silenceMs: 15_000,
  totalMs: 180_000,
  elementBytes: 64 * 1024 * 1024,
};

interface EndpointConnection {
  readonly transport: RpcTransport;
  readonly sizes: Map<string, AdaptiveSize>;
  readonly budget: CallBudget;
}

/** @param outcome `ok`, or why the calls failed. An error of the node about a call is an answer. */
type CallObserver = (
  endpoint: Endpoint,
  purpose: CallPurpose,
  outcome: 'ok' | RpcFailureKind,
  calls: number,
) => void;

/** Calls throw only `ChainUnavailable`, except `streamOnce`. */
export class JsonRpc {
  private readonly lines = new Map<Endpoint, EndpointConnection>();
  private readonly byNetwork: ReadonlyMap<string, readonly Endpoint[]>;
  private readonly patience: RpcClientOptions;
  private lastId = 0;
  private observe: CallObserver = () => undefined;

  constructor(
    { networks, patience }: NetworksSettings,
    chainTypes: Readonly<Record<string, ConnectionSettings>> = {},
  ) {
    this.patience = patience;
    this.byNetwork = new Map(
      networks.map(({ network, family, rpcUrls, maxCallsPerSecond }) => [
        network,
        rpcUrls.map((url, position) => {
          const endpoint = { network, position, name: new URL(url).host, fingerprint: fingerprintOf(url) };
          const transport = new RpcTransport(url, patience.callTimeoutMs, chainTypes[family]);
          this.lines.set(endpoint, {
            transport,
            sizes: new Map(),
            budget: new CallBudget(maxCallsPerSecond),
          });
          return endpoint;
        }),
      ]),
    );
  }

  endpoints(network: string): readonly Endpoint[] {
    return this.byNetwork.get(network) ?? [];
  }

  /** Calls in a batch count one by one, as providers count them. */
  onCalls(observer: CallObserver): void {
    this.observe = observer;
  }

  call<T>(endpoint: Endpoint, call: RpcCall<T>): Promise<T> {
    return this.again(() => this.callOnce(endpoint, call));
  }

  async callOnce<T>(endpoint: Endpoint, call: RpcCall<T>): Promise<T> {
    await this.acquire(endpoint, 1);
    const id = (this.lastId += 1);
    try {
      const body = JSON.stringify(toJsonRpcRequest(id, call));
      return this.answered(endpoint, 1, readResponse(call, id, await this.post(endpoint, body, [call])));
    } catch (error) {
      throw this.failure(endpoint, call.method, error);
    }
  }

  /** Batches are as small as the endpoint requires, or single calls if it rejects batches. */
  async batch<T>(endpoint: Endpoint, calls: readonly RpcCall<T>[], atOnce?: number): Promise<T[]> {
    const results = new Array<T>(calls.length);
    await this.each(endpoint, calls, (result, i) => void (results[i] = result), atOnce);
    return results;
  }

  /** Like `batch`, but passes each result to `take` when it is received, in any order, without storing it. */
  async each<T>(
    endpoint: Endpoint,
    calls: readonly RpcCall<T>[],
    take: (result: T, position: number) => void | Promise<void>,
    atOnce = CONCURRENT_CALLS,
  ): Promise<void> {
    const size = this.size(endpoint, calls[0]?.method, calls[0]?.path === undefined ? atOnce : 1);
    let next = 0;
    let failed = false;
    const work = async (): Promise<void> => {
      while (next < calls.length && !failed) {
        const from = next;
        next += Math.min(size.now, calls.length - from);
        let at = from;
        for await (const result of this.piece(endpoint, calls.slice(from, next), size)) {
          await take(result, at);
          at += 1;
        }
      }
    };
    const workers = Array.from({ length: CONCURRENT_BATCHES }, () =>
      work().catch((error: unknown) => {
        failed = true;
        throw error;
      }),
    );
    await Promise.all(workers);
  }

  /**
   * @throws ChainUnavailable, and errors of `settle`
   */
  async streamOnce(endpoint: Endpoint, call: StreamedCall): Promise<void> {
    const { transport } = this.line(endpoint);
    await this.acquire(endpoint, 1);
    const limits = this.patience.streaming ?? DEFAULT_STREAM_LIMITS;
    const id = (this.lastId += 1);
    const answer = new StreamedAnswer(call, id, limits.elementBytes);
    let settling = false;
    try {
      for await (const chunk of transport.stream(JSON.stringify(toJsonRpcRequest(id, call)), limits)) {
        answer.write(chunk);
        settling = true;
        await call.settle?.();
        settling = false;
      }
      answer.end((error) => transport.redact(error));
      this.answered(endpoint, 1, undefined);
    } catch (error) {
      throw settling ? error : this.failure(endpoint, call.method, error);
    }
  }

  private async *piece<T>(
    endpoint: Endpoint,
    calls: readonly RpcCall<T>[],
    size: AdaptiveSize,
  ): AsyncGenerator<T> {
    for (let at = 0; at < calls.length;) {
      const some = calls.slice(at, at + Math.min(size.now, this.line(endpoint).budget.perSecond));
      const [only] = some;
      if (some.length === 1 && only !== undefined) {
        yield await this.alone(endpoint, only, size);
        at += 1;
        continue;
      }
      try {
        const answers = await this.again(() => this.batchOnce(endpoint, some), mayWorkWithSmallerRequest);
        size.succeeded(some.length);
        at += some.length;
        yield* answers;
      } catch (error) {
        if (!(error instanceof EndpointFailure) || !mayWorkWithSmallerRequest(error)) throw error;
        size.shrink(some.length);
        // Does not retry after a timeout: each retry would wait equally long for an endpoint that may be dead.
        if (error.kind === 'timeout') throw error;
      }
    }
  }

  private async alone<T>(endpoint: Endpoint, call: RpcCall<T>, size: AdaptiveSize): Promise<T> {
    try {
      const result = await this.call(endpoint, call);
      size.succeeded(1);
      return result;
    } catch (error) {
      if (call.tooMuch === undefined || !mayBeTooLarge(error)) throw error;
      const result = await call.tooMuch(error);
      size.recordSingleItemTooLarge();
      return result;
    }
  }

  async batchOnce<T>(endpoint: Endpoint, calls: readonly RpcCall<T>[]): Promise<T[]> {
    await this.acquire(endpoint, calls.length);
    const firstId = this.lastId + 1;
    this.lastId += calls.length;
    try {
      const body = JSON.stringify(calls.map((call, i) => toJsonRpcRequest(firstId + i, call)));
      const answers = readBatchResponse(calls, firstId, await this.post(endpoint, body, calls));
      return this.answered(endpoint, calls.length, answers);
    } catch (error) {
      throw this.failure(endpoint, calls[0]?.method ?? 'a batch', error, calls.length);
    }
  }

  private async again<T>(
    ask: () => Promise<T>,
    hopeless: (failure: EndpointFailure) => boolean = () => false,
  ): Promise<T> {
    for (const pause of this.patience.retryAfterMs) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof EndpointFailure) || isRetryUseless(error) || hopeless(error)) throw error;
        await sleep(pause);
      }
    }
    return ask();
  }

  private answered<T>(endpoint: Endpoint, calls: number, answer: T): T {
    this.observe(endpoint, currentCallPurpose(), 'ok', calls);
    return answer;
  }

  private failure(endpoint: Endpoint, method: string, error: unknown, calls = 1): Error {
    const failure = toEndpointFailure(endpoint, method, error);
    this.observe(
      endpoint,
      currentCallPurpose(),
      failure instanceof EndpointFailure ? failure.kind : 'ok',
      calls,
    );
    if (failure instanceof EndpointFailure && isLimitFailure(failure))
      this.line(endpoint).budget.recordRefusal(failure.retryAfterMs);
    return failure;
  }

  /** Waits until the endpoint may be sent these calls. */
  private async acquire(endpoint: Endpoint, calls: number): Promise<void> {
    const { budget } = this.line(endpoint);
    if (budget.pauseMs > MAX_PAUSE_MS)
      throw new EndpointFailure(
        endpoint.network,
        `the endpoint accepts no calls for ${Math.ceil(budget.pauseMs / 1_000)} s`,
        'rate_limited',
        budget.pauseMs,
      );
    return budget.acquire(calls, currentCallPurpose());
  }

  private async post(endpoint: Endpoint, body: string, calls: readonly RpcCall<unknown>[]): Promise<unknown> {
    const { parsedBytes = LARGE_ANSWER_BYTES } = this.patience;
    const { transport } = this.line(endpoint);
    const timeouts = calls.map(({ timeoutMs = this.patience.callTimeoutMs }) => timeoutMs);
    return runTracedInOpenSpan(callSpan(endpoint, calls), () =>
      transport.post(body, maxAnswerBytesFor(calls, parsedBytes), Math.max(...timeouts), calls[0]?.path),
    );
  }

  private size(endpoint: Endpoint, method: string | undefined, atOnce: number): AdaptiveSize {
    const { sizes } = this.line(endpoint);
    const key = `${method} ${atOnce}`;
    let size = sizes.get(key);
    if (size === undefined) sizes.set(key, (size = new AdaptiveSize(atOnce, atOnce)));
    return size;
  }

  private line(endpoint: Endpoint): EndpointConnection {
    const line = this.lines.get(endpoint);
    if (line === undefined) throw new Error('An endpoint comes from `endpoints`, and from nowhere else.');
    return line;
  }
}

/**
 * The first 64 bits of the SHA-256 of the URL without user and password, so that nobody can guess the password from
 * it.
 */
function fingerprintOf(url: string): string {
  const address = Object.assign(new URL(url), { username: '', password: '' });
  return createHash('sha256').update(address.href).digest('hex').slice(0, 16);
}

/** Identifies the endpoint by its position, because its URL may be a secret. */
function callSpan({ network, position }: Endpoint, calls: readonly RpcCall<unknown>[]): SpanStart {
  const method = calls[0]?.method ?? 'a batch';
  const endpoint = { 'chain.network': network, 'chain.endpoint': position + 1 };
  return {
    name: method,
    kind: 'client',
    fields: {
      'rpc.system.name': 'jsonrpc',
      'rpc.method': method,
      'rpc.batch.size': calls.length,
      ...endpoint,
    },
  };
}
