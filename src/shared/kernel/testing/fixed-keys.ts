import { ALWAYS, SigningKeyRing, type ScheduledKey } from '../signing-key-ring.js';

/** A ring as settings make it: the first signs, all are accepted. */
export function fixedKeys<Key extends { id: string }>(...keys: Key[]): SigningKeyRing<Key & ScheduledKey> {
  return new SigningKeyRing(keys.map((key) => ({ ...key, signsFrom: ALWAYS, endsAt: null })));
}
