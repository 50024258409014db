import { createSecretKey, type KeyObject } from 'node:crypto';
import { isAcceptedAt, type ScheduledKey, type SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { TokenKey } from '../../identity-settings.js';

/** The only algorithm for signing and verifying tokens (RFC 8725, section 3.1). */
export const TOKEN_ALGORITHM = 'HS256';

export interface PreparedKey extends ScheduledKey {
  readonly key: KeyObject;
}

/** Key objects, prepared once per version of the key ring. */
export class TokenKeys {
  private readonly ring: SigningKeyRing<PreparedKey>;
  private byKid: ReadonlyMap<string, PreparedKey> = new Map();

  constructor(ring: SigningKeyRing<TokenKey>) {
    this.ring = ring.prepared(({ secret }) => ({ key: createSecretKey(secret) }));
    this.ring.follow((keys) => (this.byKid = new Map(keys.map((key) => [key.id, key]))));
  }

  /** @returns undefined if every key has expired */
  signing(at: Date, until: Date): PreparedKey | undefined {
    // Falls back to a key that expires before the token. The token then expires with its key.
    return this.ring.signing(at, until) ?? this.ring.signing(at, at);
  }

  /** @returns undefined if the key is unknown or has expired */
  find(kid: string): KeyObject | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isAcceptedAt(found, Date.now()) ? found.key : undefined;
  }
}
