import { createSecretKey, type webcrypto } from 'node:crypto';
import { isAcceptedAt, type ScheduledKey, type SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { TokenKey } from '../../identity-settings.js';

/** The one algorithm that tokens are signed with and accepted under (RFC 8725, section 3.1). */
export const TOKEN_ALGORITHM = 'HS256';

export interface PreparedKey extends ScheduledKey {
  readonly key: webcrypto.CryptoKey;
}

/** Keys in the form that signing needs, made once for each version of the ring: making one costs more than a signature. */
export class TokenKeys {
  private readonly ring: SigningKeyRing<PreparedKey>;
  private byKid: ReadonlyMap<string, PreparedKey> = new Map();
  private byKey: ReadonlyMap<webcrypto.CryptoKey, PreparedKey> = new Map();

  constructor(ring: SigningKeyRing<TokenKey>) {
    this.ring = ring.prepared(({ secret }) => ({ key: prepare(secret) }));
    this.ring.follow((keys) => {
      this.byKid = new Map(keys.map((key) => [key.id, key]));
      this.byKey = new Map(keys.map((key) => [key.key, key]));
    });
  }

  /** @returns undefined where every key has ended */
  signing(at: Date, until: Date): PreparedKey | undefined {
    // A key that ends before the token does is better than none: its token ends with it.
    return this.ring.signing(at, until) ?? this.ring.signing(at, at);
  }

  /** @returns undefined also for a key that has ended */
  find(kid: string): webcrypto.CryptoKey | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isAcceptedAt(found, Date.now()) ? found.key : undefined;
  }

  /** True for a key that is accepted now. */
  has(key: webcrypto.CryptoKey): boolean {
    const found = this.byKey.get(key);
    return found !== undefined && isAcceptedAt(found, Date.now());
  }
}

function prepare(secret: Buffer): webcrypto.CryptoKey {
  return createSecretKey(secret).toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}
