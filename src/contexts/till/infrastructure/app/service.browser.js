// @ts-check
// Talks to the service by the phone's own credential. The service's clock counts, never the phone's.
import { byId } from './page.browser.js';

const PATIENCE = 15_000;
/** A token of so few seconds more is exchanged anew. */
const NEARLY_OVER = 60_000;
const EXPIRED_TOKEN = ['token_expired', 'token_invalid', 'token_missing'];

/** The service has answered no, and would again. */
export class Refused extends Error {
  /** @param {number} status @param {any} answer */
  constructor(status, answer) {
    super(answer?.message ?? String(status));
    this.status = status;
    this.code = answer?.code;
  }
}

/** No answer came, or one that asks to try again. */
export class Unreachable extends Error {
  /** @param {number} [wait] milliseconds @param {string} [reason] the service's own, where it answered */
  constructor(wait = 0, reason = '') {
    super(reason);
    this.wait = wait;
  }
}

/** The credential is good no more: it was revoked, or never was one of this service. */
export class Unpaired extends Error {}

/** @type {{ api_key: string, api_secret: string, point_of_sale_id: string, device_name: string } | undefined} */
let pairing;
/** @type {{ value: string, until: number } | undefined} */
let token;
/** The service's time less `performance.now()`. @type {number | undefined} */
let clock;
let isExact = false;

export const pairedWith = () => pairing;

/** @param {typeof pairing} one */
export function pairWith(one) {
  pairing = one;
  token = undefined;
}

export const serviceNow = () => (clock === undefined ? Date.now() : clock + performance.now());

/** @param {string} time by the clock of the service's database */
export function setClock(time) {
  clock = Date.parse(time) - performance.now();
  isExact = true;
}

/** The phone's count of milliseconds may have stood still in a sleep: the next answer sets the clock anew. */
export function forgetClock() {
  isExact = false;
}

/** Path of the paired point of sale. */
export const pointOfSale = () => `/v1/pos/${pairing?.point_of_sale_id}`;

/**
 * @param {string} method @param {string} path @param {{ body?: object, key?: string }} [options] `key` makes a repetition find what
 *   was created
 * @returns {Promise<any>} `data` of the answer @throws Refused, Unreachable or Unpaired
 */
export async function call(method, path, { body, key } = {}) {
  if (pairing === undefined) throw new Unpaired();
  try {
    return await ask(method, path, body, await proof(key));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401) throw error;
    // A token ends within the hour. One that is refused right after its exchange has no second try.
    token = undefined;
    if (EXPIRED_TOKEN.includes(error.code)) return ask(method, path, body, await proof(key));
    throw new Unpaired();
  }
}

/** @param {string | undefined} key */
async function proof(key) {
  if (token === undefined || performance.now() > token.until) await exchange();
  return {
    Authorization: `Bearer ${token?.value}`,
    'x-service-api-key': pairing?.api_key ?? '',
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
}

async function exchange() {
  const { api_key, api_secret } = /** @type {NonNullable<typeof pairing>} */ (pairing);
  const data = await ask('POST', '/v1/auth/token', { api_key, api_secret }).catch((error) => {
    throw error instanceof Refused && error.status === 401 ? new Unpaired() : error;
  });
  const left = Date.parse(data.expired_at) - serviceNow();
  token = { value: data.token, until: performance.now() + Math.max(0, left - NEARLY_OVER) };
}

/** Without a credential. @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [headers] @returns {Promise<any>} */
export async function ask(method, path, body, headers = {}) {
  const signal = window.AbortSignal.timeout(PATIENCE);
  const sent = {
    ...{
      method,
      signal,
      cache: /** @type {const} */ ('no-store'),
      credentials: /** @type {const} */ ('omit'),
    },
    headers: { ...(body && { 'Content-Type': 'application/json' }), Accept: 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  };
  const answer = await fetch(path, sent).catch(() => undefined);
  const content = await answer?.json().catch(() => undefined);
  if (answer === undefined || (answer.ok && content === undefined)) throw lost();
  const date = Date.parse(answer.headers.get('Date') ?? '');
  if (!isExact && date > 0) clock = date - performance.now();
  const isForLater = answer.status >= 500 || [408, 425, 429].includes(answer.status);
  if (isForLater || content?.code === 'idempotency_in_progress')
    throw lost(1000 * (Number(answer.headers.get('Retry-After')) || 0), content?.message);
  byId('offline').hidden = true;
  if (!answer.ok) throw new Refused(answer.status, content);
  return content.data;
}

/** @param {number} [wait] @param {string} [reason] */
function lost(wait, reason) {
  byId('offline').hidden = reason !== undefined;
  return new Unreachable(wait, reason);
}
