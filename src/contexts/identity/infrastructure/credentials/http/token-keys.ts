import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  isKeyAcceptedAt,
  type ScheduledSigningKey,
  type SigningKeyRing,
} from '#shared/kernel/signing-key-ring.js';
import type { TokenKey } from '../../identity-settings.js';

export class TokenKeys {
  private byKid: ReadonlyMap<string, ScheduledSigningKey & { readonly key: KeyObject }> = new Map();

  constructor(ring: SigningKeyRing<TokenKey>) {
    ring
      .deriveRing(({ secret }) => ({ key: createSecretKey(secret) }))
      .follow((keys) => (this.byKid = new Map(keys.map((key) => [key.id, key]))));
  }

  find(kid: string): KeyObject | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isKeyAcceptedAt(found, Date.now()) ? found.key : undefined;
  }
}
