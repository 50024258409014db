import type { AnswerFact } from '../facts/fact.js';
import type { Random } from '../random.js';
import { memoryOf } from './memory.js';
import type { Call, Credential, Merchant, World } from './world.js';

export type Answer = AnswerFact | 'lost';

export function dataOf<T>(answer: Answer): T | undefined {
  if (answer === 'lost' || answer.status !== 200) return undefined;
  return (answer.body as { data?: T }).data;
}

export function keyOf(merchant: Merchant, random: Random): Credential {
  return random.chance(0.05) ? random.oneOf(merchant.credentials) : merchant.credentials[0]!;
}

export function hex(random: Random, bytes: number): string {
  const words = Array.from({ length: Math.ceil(bytes / 4) }, () =>
    random.bits().toString(16).padStart(8, '0'),
  );
  return words.join('').slice(0, 2 * bytes);
}

/**
 * Creates something as the software of merchants does. Every second creation has an idempotency key, and is sent once more where
 * its answer does not tell whether it was carried out.
 */
export async function create<T>(
  world: World,
  merchant: Merchant,
  random: Random,
  call: Call,
): Promise<T | undefined> {
  if (random.chance(0.5)) return dataOf<T>(await world.call(call));
  const keyed = { ...call, idempotencyKey: `order-${hex(random, 8)}` };
  memoryOf(merchant).creations.put({ id: keyed.idempotencyKey, call: keyed, at: world.now() });
  const answer = await world.call(keyed);
  return dataOf<T>(isUncertain(answer) ? await world.call(keyed) : answer);
}

function isUncertain(answer: Answer): boolean {
  return answer === 'lost' || answer.status >= 500;
}

export async function atOnce(world: World, call: Call, times: number): Promise<Answer[]> {
  await world.call({ method: 'GET', path: '/v1/assets', ...(call.as !== undefined && { as: call.as }) });
  return Promise.all(Array.from({ length: times }, () => world.call(call)));
}

export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly total: number;
}

export function codeOf(answer: Answer): string | undefined {
  if (answer === 'lost' || typeof answer.body !== 'object' || answer.body === null) return undefined;
  return (answer.body as { readonly code?: string }).code;
}

export function isUnknown(answer: Answer): boolean {
  return answer === 'lost' || answer.status >= 500;
}

export async function repeat(world: World, call: Call): Promise<Answer> {
  let answer = await world.call(call);
  for (let again = 0; again < 3 && isUnknown(answer); again += 1) answer = await world.call(call);
  return answer;
}

export async function createAnswered(
  world: World,
  merchant: Merchant,
  random: Random,
  call: Call,
): Promise<Answer> {
  if (random.chance(0.3)) return world.call(call);
  const keyed = { ...call, idempotencyKey: `money-${hex(random, 8)}` };
  memoryOf(merchant).creations.put({ id: keyed.idempotencyKey, call: keyed, at: world.now() });
  return repeat(world, keyed);
}

export function textIn(answer: Answer): string {
  return answer !== 'lost' && typeof answer.body === 'string' ? answer.body : '';
}

export function locationIn(answer: Answer): string | undefined {
  return answer === 'lost' || answer.status !== 303 ? undefined : answer.headers['location'];
}

export function hasStatus(answer: Answer, ...statuses: readonly number[]): answer is AnswerFact {
  return answer !== 'lost' && statuses.includes(answer.status);
}

export const MINUTE_MS = 60_000;

export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function partOf(amount: bigint, random: Random): bigint {
  const part = (amount * BigInt(random.whole(1, 99))) / 100n;
  return part > 0n ? part : 1n;
}
