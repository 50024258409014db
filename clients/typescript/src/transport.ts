import { randomUUID } from 'node:crypto';
import { AccessToken } from './access-token.js';
import type { Schemas } from './api-types.js';
import { sendHttpRequest, unreadableReason } from './http-exchange.js';
import { TOKEN_EXCHANGE_PATH, isRepeatable, acceptsIdempotencyKey } from './keyed-paths.js';
import { PaymentCollectionError } from './payment-collection-error.js';
import { laterReadAfter } from './read-after.js';
import { withRetries, type RetryPolicy } from './retrying.js';

const READ_AFTER = 'x-read-after';
const KEY = 'idempotency-key';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly retries: RetryPolicy;
  /** Time limit of one attempt in milliseconds, including the response body. */
  readonly timeout: number;
  readonly product: string | undefined;
}

/** Request that is the same for every attempt. */
interface Prepared {
  readonly url: string;
  /** Path template from the API reference. */
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly signal?: AbortSignal | undefined;
  /** True if the caller streams the response body. */
  readonly streams?: boolean;
}

/** Sends authenticated requests and retries them if a retry is safe. */
export class Transport {
  private readonly token: AccessToken;
  /** `X-Read-After` of this client's latest write; undefined if the service does not use read replicas. */
  private written: string | undefined;

  constructor(private readonly options: TransportOptions) {
    this.token = new AccessToken(() => this.exchange());
  }

  /**
   * @param path template from the API reference
   * @param streams leaves a successful response's body unread, without a time limit
   */
  async send(request: Request, path: string, streams: boolean): Promise<Response> {
    const headers = new Headers(request.headers);
    const isPost = request.method === 'POST';
    if (isPost && acceptsIdempotencyKey(path) && !headers.has(KEY)) headers.set(KEY, randomUUID());
    if (request.method === 'GET' && this.written !== undefined && !headers.has(READ_AFTER))
      headers.set(READ_AFTER, this.written);
    const { url, method, signal } = request;
    const body = request.body === null ? null : await request.text();
    const prepared = { url, path, method, headers, body, signal, streams };
    if (!path.startsWith('/v1/') || path === TOKEN_EXCHANGE_PATH) return this.attempt(prepared);

    const token = await abortable(this.token.current(), signal);
    const response = await this.attempt(this.authenticated(prepared, token));
    if (response.status !== 401) return response;
    // A request rejected with 401 has no effect, so even a POST without a key can be repeated.
    this.token.forget(token);
    const renewed = await abortable(this.token.current(), signal);
    return this.attempt(this.authenticated(prepared, renewed));
  }

  private authenticated(request: Prepared, token: string): Prepared {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    headers.set('x-service-api-key', this.options.apiKey);
    return { ...request, headers };
  }

  private async exchange(): Promise<Schemas['Token']> {
    const { baseUrl, apiKey, apiSecret } = this.options;
    const response = await this.attempt({
      url: baseUrl + TOKEN_EXCHANGE_PATH,
      path: TOKEN_EXCHANGE_PATH,
      method: 'POST',
      headers: new Headers({ 'content-type': 'application/json' }),
      body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
    });
    const answer = parseJsonOrUndefined(await response.text()) as { data?: Schemas['Token'] } | undefined;
    if (!response.ok || typeof answer?.data?.token !== 'string') {
      throw PaymentCollectionError.ofAnswer(response, answer);
    }
    return answer.data;
  }

  private async attempt(request: Prepared): Promise<Response> {
    const { url, path, method, headers, signal, streams } = request;
    const isKeyed = headers.has(KEY);
    const isSafe = isKeyed || method !== 'POST' || isRepeatable(path);
    const repeatable = { origin: new URL(url).origin, isSafe, isKeyed, signal };
    const response = await withRetries(this.options.retries, repeatable, () => this.once(request));
    if (streams && response.ok && unreadableReason(response.headers) !== undefined)
      throw PaymentCollectionError.ofAnswer(response, undefined);
    return response;
  }

  private async once({ url, method, headers, body, signal, streams }: Prepared): Promise<Response> {
    const limits = streams ? [] : [AbortSignal.timeout(this.options.timeout)];
    const signals = [...(signal === undefined ? [] : [signal]), ...limits];
    const sent = { url, method, headers, body, signal: AbortSignal.any(signals) };
    const response = await sendHttpRequest(sent, this.options.product);
    this.written = laterReadAfter(this.written, response.headers.get(READ_AFTER));
    if (streams && response.ok) return response;
    // Reads the full body, so that a truncated response fails this attempt and is retried.
    const bytes = await response.arrayBuffer();
    const { status, statusText } = response;
    const content = bytes.byteLength === 0 ? null : bytes;
    return new Response(content, { status, statusText, headers: response.headers });
  }
}

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rejects when the signal aborts. The shared work continues for other callers. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
