import { webcrypto } from 'node:crypto';
import type { KeyOfRing } from '../../../../shared/platform/settings/setting-reader.js';

/** The one algorithm that tokens are signed with and accepted under (RFC 8725, section 3.1). */
export const TOKEN_ALGORITHM = 'HS256';

export interface SigningKey {
  readonly kid: string;
  readonly key: webcrypto.CryptoKey;
}

/** Keys in the form that signing wants, made once: making one costs more than a signature. */
export class TokenKeys {
  private readonly accepted: ReadonlySet<webcrypto.CryptoKey>;

  private constructor(
    readonly signing: SigningKey,
    private readonly keys: ReadonlyMap<string, webcrypto.CryptoKey>,
  ) {
    this.accepted = new Set(keys.values());
  }

  /** @param tokenKeys the first signs, all of them are accepted */
  static async from(tokenKeys: readonly KeyOfRing[]): Promise<TokenKeys> {
    const imported = await Promise.all(tokenKeys.map(importKey));
    const [signing] = imported;
    if (signing === undefined) throw new Error('Signing tokens wants at least one key.');
    return new TokenKeys(signing, new Map(imported.map(({ kid, key }) => [kid, key])));
  }

  find(kid: string): webcrypto.CryptoKey | undefined {
    return this.keys.get(kid);
  }

  /** Whether it is one of those that are accepted. */
  has(key: webcrypto.CryptoKey): boolean {
    return this.accepted.has(key);
  }
}

async function importKey({ id: kid, secret }: KeyOfRing): Promise<SigningKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await webcrypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify']);
  return { kid, key };
}
