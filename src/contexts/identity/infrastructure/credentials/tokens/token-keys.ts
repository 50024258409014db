import { createSecretKey, type KeyObject } from 'node:crypto';
import { isAcceptedAt, type ScheduledKey, type SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { TokenKey } from '../../identity-settings.js';

/** The one algorithm that tokens are signed with and accepted under (RFC 8725, section 3.1). */
export const TOKEN_ALGORITHM = 'HS256';

export interface PreparedKey extends ScheduledKey {
  readonly key: KeyObject;
}

/** Keys in the form that signing and verifying need, made once for each version of the ring. */
export class TokenKeys {
  private readonly ring: SigningKeyRing<PreparedKey>;
  private byKid: ReadonlyMap<string, PreparedKey> = new Map();

  constructor(ring: SigningKeyRing<TokenKey>) {
    this.ring = ring.prepared(({ secret }) => ({ key: createSecretKey(secret) }));
    this.ring.follow((keys) => (this.byKid = new Map(keys.map((key) => [key.id, key]))));
  }

  /** @returns undefined where every key has ended */
  signing(at: Date, until: Date): PreparedKey | undefined {
    // A key that ends before the token does is better than none: its token ends with it.
    return this.ring.signing(at, until) ?? this.ring.signing(at, at);
  }

  /** @returns undefined also for a key that has ended */
  find(kid: string): KeyObject | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isAcceptedAt(found, Date.now()) ? found.key : undefined;
  }
}
