import { createSecretKey, type KeyObject } from 'node:crypto';
import { isAcceptedAt, type ScheduledKey, type SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { TokenKey } from '../../identity-settings.js';

/** The keys that verify access tokens, parsed once per version of the key ring. */
export class TokenKeys {
  private byKid: ReadonlyMap<string, ScheduledKey & { readonly key: KeyObject }> = new Map();

  constructor(ring: SigningKeyRing<TokenKey>) {
    ring
      .deriveRing(({ secret }) => ({ key: createSecretKey(secret) }))
      .follow((keys) => (this.byKid = new Map(keys.map((key) => [key.id, key]))));
  }

  /** @returns undefined if the key id is unknown or the key has expired */
  find(kid: string): KeyObject | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isAcceptedAt(found, Date.now()) ? found.key : undefined;
  }
}
