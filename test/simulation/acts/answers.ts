import type { AnswerFact } from '../facts/fact.js';
import type { Random } from '../random.js';
import { hex, type Answer } from './calls.js';
import { memoryOf } from './memory.js';
import type { Call, Merchant, World } from './world.js';

/** A list of the API. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly total: number;
}

/** @returns the code of a refusal */
export function codeOf(answer: Answer): string | undefined {
  if (answer === 'lost' || typeof answer.body !== 'object' || answer.body === null) return undefined;
  return (answer.body as { readonly code?: string }).code;
}

/** The caller does not know whether the call was carried out. */
export function isUnknown(answer: Answer): boolean {
  return answer === 'lost' || answer.status >= 500;
}

/** Sends a call that is safe to repeat, until it is answered. */
export async function repeat(world: World, call: Call): Promise<Answer> {
  let answer = await world.call(call);
  for (let again = 0; again < 3 && isUnknown(answer); again += 1) answer = await world.call(call);
  return answer;
}

/** Creates as `create` does, for who wants to know why it was refused. */
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

/** @returns the text of a page; empty where none was answered */
export function textIn(answer: Answer): string {
  return answer !== 'lost' && typeof answer.body === 'string' ? answer.body : '';
}

/** @returns where a form led to, if it was accepted */
export function locationIn(answer: Answer): string | undefined {
  return answer === 'lost' || answer.status !== 303 ? undefined : answer.headers['location'];
}

export function hasStatus(answer: Answer, ...statuses: readonly number[]): answer is AnswerFact {
  return answer !== 'lost' && statuses.includes(answer.status);
}

export const MINUTE_MS = 60_000;

/** A time as the API takes it. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Some part of an amount, at least one smallest unit. */
export function partOf(amount: bigint, random: Random): bigint {
  const part = (amount * BigInt(random.whole(1, 99))) / 100n;
  return part > 0n ? part : 1n;
}
