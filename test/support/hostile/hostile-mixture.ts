import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { Operation } from './hostile-api.js';
import type { Example } from './hostile-examples.js';
import { encode } from './hostile-examples.js';
import type { Received, Sent } from './hostile-http.js';
import { isFor, valid, withValue, type Proofs } from './hostile-probes.js';
import { HOSTILE_NAMES, HOSTILE_VALUES, type HostileValue } from './hostile-values.js';
import { flawOf } from './hostile-verdict.js';

/** Headers that the service reads, whether or not an operation documents them. */
const HEADERS = [
  ...['idempotency-key', 'x-request-id', 'accept', 'content-type', 'content-encoding', 'accept-encoding'],
  ...['authorization', 'x-service-api-key', 'if-none-match', 'cookie', 'origin', 'sec-fetch-site'],
  ...['x-forwarded-for', 'access-control-request-method', 'accept-language', 'range', 'forwarded'],
];
/** These headers usually say this, so that what depends on them is met too. */
const USUAL: Record<string, readonly string[]> = {
  'idempotency-key': ['order-1', 'order-2', 'k'.repeat(255), 'k'.repeat(256)],
  accept: ['text/html', 'text/csv', 'application/json', '*/*'],
  'content-type': ['application/json', 'application/json; charset=utf-8', 'text/csv'],
  'if-none-match': ['*', '"1"'],
  'access-control-request-method': ['GET', 'PUT'],
  'accept-language': ['pt-BR', 'es', 'xx'],
};
export const READING = ['GET', 'HEAD', 'OPTIONS'];
export const METHODS = [...READING, 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATH_ENDS = [
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%00',
  ';a=b',
  '/%',
  '.json',
  '/activate',
  '?',
  '#a',
  '/%c0%ae',
];
/** Node's client sends no others, and the service's parser takes none. */
const UNSENDABLE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
export interface Mixed {
  readonly operation: Operation;
  readonly sent: Sent;
  readonly changes: readonly string[];
}

/**
 * A request of this operation in which several things are hostile, by chance.
 * @param methods one of which may stand in for the operation's own
 */
export function mixed(
  random: SeededRandom,
  operation: Operation,
  example: Example,
  proofs: Proofs,
  methods: readonly string[],
): Mixed {
  const pick = <T>(items: readonly T[]): T => items[random.wholeNumber(0, items.length - 1)]!;
  const changes: string[] = [];
  let sent: Sent = valid(operation, example, proofs);
  const field = operation.fields.length > 0 ? pick(operation.fields) : undefined;
  const values = field === undefined ? [] : HOSTILE_VALUES.filter((value) => isFor(field, value));
  if (field !== undefined && values.length > 0 && random.chance(0.8)) {
    const value = pick(values);
    changes.push(`${field.place} ${field.name} = ${value.name}`);
    sent = withValue(operation, example, proofs, field, value);
  }
  const headers = { ...sent.headers };
  for (let count = random.wholeNumber(0, 2); count > 0; count -= 1) {
    const name = pick(HEADERS);
    const usual = USUAL[name];
    const text = usual !== undefined && random.chance(0.6) ? pick(usual) : headerText(pick(HOSTILE_VALUES));
    if (text === undefined) continue;
    changes.push(`${name}: ${text.slice(0, 40)}`);
    headers[name] = text;
  }
  if (random.chance(0.2)) {
    const name = pick(HOSTILE_NAMES.filter((one) => one.length < 5_000 && !/\p{Surrogate}/u.test(one)));
    changes.push(`query ${JSON.stringify(name)}`);
    sent = { ...sent, target: `${sent.target}${sent.target.includes('?') ? '&' : '?'}${encode(name)}=1` };
  }
  if (random.chance(0.05)) {
    const end = pick(PATH_ENDS);
    changes.push(`path and ${end}`);
    sent = { ...sent, target: sent.target + end };
  }
  // What does not fit is refused before its method is known, with a body, which is no answer to HEAD.
  const fits =
    sent.target.length < 8_000 && Object.values(headers).every((text) => String(text).length < 8_000);
  if (fits && random.chance(0.05)) {
    changes.push(`method ${(sent = { ...sent, method: pick(methods) }).method}`);
  }
  return { operation, sent: { ...sent, headers }, changes };
}

function headerText({ text }: HostileValue): string | undefined {
  if (text === undefined || text.length > 10_000) return undefined;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return UNSENDABLE.test(bytes) ? undefined : bytes;
}

const WELL = [200, 204, 303, 304];

/** @returns what is wrong with the answer to something of which nobody knows whether it has to be refused */
export function flawOfAny({ sent }: Mixed, answer: Received): string | undefined {
  if (WELL.includes(answer.status)) return undefined;
  // x402 asks for a payment so, outside the envelope.
  if (answer.status === 402 && answer.json?.['x402Version'] === 2) return undefined;
  // No price can be asked for here, and the answer names that.
  if (answer.status === 503 && answer.json?.['code'] === 'rate_unavailable') return undefined;
  if (sent.method === 'HEAD') return answer.status < 500 ? undefined : `answered ${answer.status}`;
  return flawOf(answer);
}
