import type { Readable } from 'node:stream';
import {
  ACCEPTED_CODING,
  UnsupportedEncodingError,
  decodeAnswerBody,
  requireUtf8,
  withoutByteOrderMark,
} from '#shared/platform/http/outgoing/answer-encoding.js';
import { SERVICE_USER_AGENT } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { type Dispatcher, Pool } from 'undici';
import type { RpcStreamLimits } from '#contexts/networks/infrastructure/networks-settings.js';
import type { RpcCall } from './rpc-envelope.js';
import { RpcEndpointSecrets } from './rpc-endpoint-secrets.js';
import { type RpcFailureKind, TransportFailure } from './rpc-failures.js';

const MAX_CONNECTIONS = 8;
export const SMALL_ANSWER_BYTES = 256 * 1024;
/** Parsed in one piece: the logs of a block range, or a full block. */
export const LARGE_ANSWER_BYTES = 32 * 1024 * 1024;
const CONNECTION_FAILED_TEXT = 'the connection failed or was interrupted';

export interface ConnectionSettings {
  /** Default: 8. */
  readonly connections?: number;
  /** Path of JSON-RPC below the endpoint's URL, such as `/jsonrpc`. Default: the URL itself. */
  readonly jsonRpcPath?: string;
  /** Header for the password of a URL whose user has this name. Other users are sent by basic authentication. */
  readonly keyHeader?: string;
}

type HttpAnswer = Dispatcher.ResponseData;

export class RpcTransport {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly pathOf: (below: string) => string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly secrets: RpcEndpointSecrets;

  constructor(
    url: string,
    private readonly timeoutMs: number,
    { connections = MAX_CONNECTIONS, jsonRpcPath = '', keyHeader }: ConnectionSettings = {},
  ) {
    this.secrets = new RpcEndpointSecrets(url);
    const { origin, pathname, search, username, password } = new URL(url);
    this.pool = new Pool(origin, { connections, connect: { timeout: timeoutMs } });
    this.pathOf = (below) => pathname.replace(/\/$/, '') + below + search;
    this.path = jsonRpcPath === '' ? pathname + search : this.pathOf(jsonRpcPath);
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    const basic = { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` };
    this.headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': ACCEPTED_CODING,
      'user-agent': SERVICE_USER_AGENT,
      ...(username + password !== '' && (user === keyHeader ? { [user]: secret } : basic)),
    };
  }

  /**
   * @param below path below the URL. Default: the path of JSON-RPC
   * @returns the parsed answer of any shape; its errors contain no secrets of the URL
   */
  async post(
    body: string,
    mostBytes = SMALL_ANSWER_BYTES,
    timeoutMs = this.timeoutMs,
    below?: string,
  ): Promise<unknown> {
    // This timeout covers the complete answer. The HTTP pool's own timeouts are coarse and restart with each byte.
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await this.request(body, signal, below === undefined ? this.path : this.pathOf(below));
      const json = await readAnswer(answer, mostBytes);
      this.secrets.redact(json);
      return json;
    } catch (error) {
      if (error instanceof TransportFailure) throw error;
      if (error instanceof UnsupportedEncodingError) throw new TransportFailure('malformed', error.message);
      if (signal.aborted)
        throw new TransportFailure('timeout', 'the endpoint did not respond completely in time');
      throw new TransportFailure('connection', CONNECTION_FAILED_TEXT);
    }
  }

  /** Reads the next bytes only after the previous ones were processed. */
  async *stream(body: string, { silenceMs, totalMs }: RpcStreamLimits): AsyncGenerator<Buffer> {
    const silence = new AbortController();
    const listen = () => setTimeout(() => silence.abort(), silenceMs);
    let timer = listen();
    const signal = AbortSignal.any([silence.signal, AbortSignal.timeout(totalMs)]);
    try {
      const answer = await this.request(body, signal, this.path);
      if (!isSuccess(answer.statusCode)) {
        yield Buffer.from(JSON.stringify(await readAnswer(answer, SMALL_ANSWER_BYTES)));
        return;
      }
      for await (const chunk of readableBody(answer) as AsyncIterable<Buffer>) {
        clearTimeout(timer);
        yield chunk;
        timer = listen();
      }
    } catch (error) {
      if (error instanceof TransportFailure) throw error;
      if (error instanceof UnsupportedEncodingError) throw new TransportFailure('malformed', error.message);
      if (silence.signal.aborted)
        throw new TransportFailure('timeout', `the endpoint sent nothing for more than ${silenceMs} ms`);
      if (signal.aborted)
        throw new TransportFailure('timeout', 'the endpoint did not respond completely in time');
      throw new TransportFailure('connection', CONNECTION_FAILED_TEXT);
    } finally {
      clearTimeout(timer);
    }
  }

  redact(error: unknown): void {
    this.secrets.redact({ error });
  }

  private request(body: string, signal: AbortSignal, path: string) {
    return this.pool.request({ path, method: 'POST', headers: this.headers, body, signal });
  }
}

async function textOf(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Throwing out of the loop destroys the connection, so the remaining bytes are not read.
    if (length > mostBytes) {
      throw new TransportFailure('too_large', `the response exceeds ${mostBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)).toString('utf8');
}

async function readAnswer(answer: HttpAnswer, mostBytes: number): Promise<unknown> {
  const { statusCode: status, headers } = answer;
  const wait = retryAfterMs(headers['retry-after']);
  let text = '';
  try {
    text = await textOf(readableBody(answer), mostBytes);
  } catch (error) {
    // A failure's status is sufficient, even if the encoding of the body is unknown.
    if (isSuccess(status) || !(error instanceof UnsupportedEncodingError)) throw error;
  }
  if (status === 429) throw new TransportFailure('rate_limited', 'HTTP status 429', wait);
  const json = parseJson(text);
  if (isSuccess(status)) {
    if (json === undefined) throw new TransportFailure('malformed', 'the response is not JSON-RPC');
    return json;
  }
  // Many providers send JSON-RPC errors with status 400 or 500.
  if (wait === null && carriesError(json)) return json;
  throw new TransportFailure(kindOf(status), `HTTP status ${status}`, wait);
}

function readableBody({ headers, body }: HttpAnswer): Readable {
  try {
    requireUtf8(headers);
    return decodeAnswerBody(headers, body);
  } catch (error) {
    body.on('error', () => undefined).destroy();
    throw error;
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function kindOf(status: number): RpcFailureKind {
  if (isRequestBodyRejected(status)) return 'batch_refused';
  return isGatewayTimeout(status) ? 'timeout' : 'status';
}

function isGatewayTimeout(status: number): boolean {
  return status === 408 || status === 504 || status === 524;
}

/** True for the statuses that a gateway returns for a request body that it considers too long or malformed. */
function isRequestBodyRejected(status: number): boolean {
  return status === 400 || status === 405 || status === 413 || status === 415 || status === 422;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}

function carriesError(json: unknown): boolean {
  const error = (json as { error?: { code?: unknown } | null } | null | undefined)?.error;
  return typeof error?.code === 'number';
}

/** Reads a `Retry-After` header (RFC 9110, section 10.2.3): a number of seconds or a date. */
function retryAfterMs(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Parsing JSON blocks the process, so an endpoint with an unproven chain is limited to small answers. */
export function maxAnswerBytesFor(
  calls: readonly Pick<RpcCall<unknown>, 'isLong'>[],
  large = LARGE_ANSWER_BYTES,
): number {
  if (calls.some(({ isLong }) => isLong)) return large;
  return Math.min(large, SMALL_ANSWER_BYTES * calls.length);
}
