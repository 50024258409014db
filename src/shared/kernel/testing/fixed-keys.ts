import { ALWAYS, SigningKeyRing, type ScheduledKey } from '../signing-key-ring.js';

/** Builds a key ring without a schedule: the first key signs, and signatures of all keys are accepted. */
export function fixedKeys<Key extends { id: string }>(...keys: Key[]): SigningKeyRing<Key & ScheduledKey> {
  return new SigningKeyRing(keys.map((key) => ({ ...key, signsFrom: ALWAYS, endsAt: null })));
}
