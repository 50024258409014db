import type { AnswerFact } from '../facts/fact.js';
import type { Random } from '../random.js';
import { memoryOf } from './memory.js';
import type { Call, Credential, Merchant, World } from './world.js';

export type Answer = AnswerFact | 'lost';

/** @returns the `data` of a success, else undefined */
export function dataOf<T>(answer: Answer): T | undefined {
  if (answer === 'lost' || answer.status !== 200) return undefined;
  return (answer.body as { data?: T }).data;
}

/** The first credential may do everything; now and then another one is tried. */
export function keyOf(merchant: Merchant, random: Random): Credential {
  return random.chance(0.05) ? random.oneOf(merchant.credentials) : merchant.credentials[0]!;
}

/** @returns so many drawn bytes in hex */
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

/** Sends a call several times, all under way at the same time: its credential has its token before. */
export async function atOnce(world: World, call: Call, times: number): Promise<Answer[]> {
  await world.call({ method: 'GET', path: '/v1/assets', ...(call.as !== undefined && { as: call.as }) });
  return Promise.all(Array.from({ length: times }, () => world.call(call)));
}
