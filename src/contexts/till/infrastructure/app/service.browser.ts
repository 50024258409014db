// Calls the API with the phone's credential. Provides the service's time, because the phone's clock may be wrong.
import type { paths } from '../../../../../openapi/openapi.js';
import type { SaleQrCodes } from '../http/sale-qr-codes.js';
import { appState, type Pairing } from './app-state.browser.js';
import { byId } from './page.browser.js';

type Json<Content> = { content: { 'application/json': Content } };
type Api = paths & {
  '/till/codes/{sessionId}': { get: { responses: { 200: Json<{ data: SaleQrCodes }> } } };
};
type Method = 'GET' | 'POST';
type Operation<Path extends keyof Api, M extends Method> = Api[Path][Lowercase<M> & keyof Api[Path]];
type Answer<Called> = Called extends { responses: { 200: Json<{ data: infer Data }> } } ? Data : never;
/** `id` fills the path parameter other than `posID`; `key` is the idempotency key. */
type Options<Path, Called> = (Path extends `${string}{${'paymentRequestID' | 'sessionId'}}${string}`
  ? { id: string }
  : { id?: never }) &
  (Called extends { requestBody: Json<infer Body extends object> } ? { body: Body } : { body?: never }) & {
    query?: Called extends { parameters: { query?: infer Query extends object } } ? Query : never;
    key?: string;
  };
interface AnyOptions {
  id?: string;
  body?: object;
  query?: object;
}
interface ErrorAnswer {
  code?: string;
  message?: string;
}

const TIMEOUT = 15_000;
/** Tokens are replaced this long before they expire. */
const TOKEN_MARGIN = 60_000;
const EXPIRED_TOKEN = ['token_expired', 'token_invalid', 'token_missing'];

export class RequestRefused extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, answer?: ErrorAnswer) {
    super(answer?.message ?? String(status));
    this.status = status;
    this.code = answer?.code;
  }
}

export class Unreachable extends Error {
  readonly wait: number;

  constructor(wait = 0, reason = '') {
    super(reason);
    this.wait = wait;
  }
}

/** The phone's credential was revoked, or the service does not know it. */
export class Unpaired extends Error {}

let token: { value: string; until: number } | undefined;
/** Service time minus `performance.now()`, in milliseconds. */
let clock: number | undefined;
let isExact = false;

export function setPairing(pairing: Pairing | undefined): void {
  appState.pairing = pairing;
  token = undefined;
}

export const serviceNow = () => (clock === undefined ? Date.now() : clock + performance.now());

export function setServiceTime(time: string): void {
  clock = Date.parse(time) - performance.now();
  isExact = true;
}

/** The phone's monotonic clock may have stopped during sleep. */
export function markServiceTimeInexact(): void {
  isExact = false;
}

/** @throws Refused, Unreachable or Unpaired */
export async function callApi<Path extends keyof Api, M extends Method>(
  method: M,
  path: Path,
  options: Options<Path, Operation<Path, M>>,
): Promise<Answer<Operation<Path, M>>> {
  if (appState.pairing === undefined) throw new Unpaired();
  const url = urlOf(path, options);
  const attempt = async () => send(method, url, options.body, await proof(options.key));
  try {
    return (await attempt()) as Answer<Operation<Path, M>>;
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.status !== 401) throw error;
    // A new token is requested only once per call.
    token = undefined;
    if (!EXPIRED_TOKEN.includes(error.code ?? '')) throw new Unpaired();
    return (await attempt()) as Answer<Operation<Path, M>>;
  }
}

export const callApiWithoutToken = <Path extends keyof Api, M extends Method>(
  method: M,
  path: Path,
  options: Options<Path, Operation<Path, M>>,
) => send(method, urlOf(path, options), options.body) as Promise<Answer<Operation<Path, M>>>;

function urlOf(path: string, { id = '', query }: AnyOptions): string {
  const url = path.replace('{posID}', appState.pairing?.point_of_sale_id ?? '').replace(/\{\w+\}/, id);
  return query ? `${url}?${new URLSearchParams(query as Record<string, string>)}` : url;
}

async function proof(key: string | undefined): Promise<Record<string, string>> {
  if (token === undefined || performance.now() > token.until) await exchange();
  return {
    Authorization: `Bearer ${token?.value}`,
    'x-service-api-key': appState.pairing?.api_key ?? '',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
}

async function exchange(): Promise<void> {
  const { api_key, api_secret } = appState.pairing!;
  const data = await callApiWithoutToken('POST', '/v1/auth/token', { body: { api_key, api_secret } }).catch(
    (error) => {
      throw error instanceof RequestRefused && error.status === 401 ? new Unpaired() : error;
    },
  );
  const left = Date.parse(data.expired_at) - serviceNow();
  token = { value: data.token, until: performance.now() + Math.max(0, left - TOKEN_MARGIN) };
}

async function send(method: Method, url: string, body?: object, headers = {}): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    signal: window.AbortSignal.timeout(TIMEOUT),
    cache: 'no-store',
    credentials: 'omit',
    headers: { ...(body && { 'Content-Type': 'application/json' }), Accept: 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const content: (ErrorAnswer & { data?: unknown }) | undefined = await answer?.json().catch(() => undefined);
  if (answer === undefined || (answer.ok && content === undefined)) throw lost();
  const date = Date.parse(answer.headers.get('Date') ?? '');
  if (!isExact && date > 0) clock = date - performance.now();
  const isForLater = answer.status >= 500 || [408, 425, 429].includes(answer.status);
  if (isForLater || content?.code === 'idempotency_in_progress')
    throw lost(1000 * (Number(answer.headers.get('Retry-After')) || 0), content?.message);
  byId('offline').hidden = true;
  if (!answer.ok) throw new RequestRefused(answer.status, content);
  return content?.data;
}

/** @param reason undefined if the phone is offline */
function lost(wait?: number, reason?: string): Unreachable {
  byId('offline').hidden = reason !== undefined;
  return new Unreachable(wait, reason);
}
