import { SIGNS_FROM_ALWAYS, SigningKeyRing, type ScheduledSigningKey } from '../signing-key-ring.js';

/** Builds a key ring without a schedule: the first key signs, and signatures of all keys are accepted. */
export function ringOfFixedKeys<Key extends { id: string }>(
  ...keys: Key[]
): SigningKeyRing<Key & ScheduledSigningKey> {
  return new SigningKeyRing(keys.map((key) => ({ ...key, signsFrom: SIGNS_FROM_ALWAYS, endsAt: null })));
}
