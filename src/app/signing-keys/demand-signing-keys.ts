import { SigningKeyRing, type ScheduledKey } from '#shared/kernel/signing-key-ring.js';
import { InvalidSigningKeys } from './parse-signing-keys.js';
import type { SigningKeyLists } from './signing-keys.js';

/**
 * Keys with which a process can work now. @param windowSeconds for which payment tokens are valid
 * @throws InvalidSigningKeys where tokens of a kind could not be signed
 */
export function demandSigningKeys(
  { token, naspip }: SigningKeyLists,
  now: Date,
  windowSeconds: number,
): void {
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);
  const problems: string[] = [];
  if (!signsNow(token, now, now)) problems.push('No token key signs now: one needs signs_from in the past.');
  if (!signsNow(naspip, now, windowEnd))
    problems.push('No naspip key signs now and is valid for a payment window: make a new key.');
  if (problems.length > 0) throw new InvalidSigningKeys(problems);
}

function signsNow(keys: readonly ScheduledKey[], now: Date, until: Date): boolean {
  const signing = new SigningKeyRing(keys).signing(now, until);
  return signing !== undefined && signing.signsFrom <= now;
}
