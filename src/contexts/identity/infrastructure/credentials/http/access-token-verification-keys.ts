import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  isKeyAcceptedAt,
  type ScheduledSigningKey,
  type SigningKeyRing,
} from '#shared/kernel/signing-key-ring.js';
import type { AccessTokenSigningKey } from '../../identity-settings.js';

export class AccessTokenVerificationKeys {
  private byKid: ReadonlyMap<string, ScheduledSigningKey & { readonly key: KeyObject }> = new Map();

  constructor(ring: SigningKeyRing<AccessTokenSigningKey>) {
    ring
      .deriveRing(({ secret }) => ({ key: createSecretKey(secret) }))
      .follow((keys) => (this.byKid = new Map(keys.map((key) => [key.id, key]))));
  }

  find(kid: string): KeyObject | undefined {
    const found = this.byKid.get(kid);
    return found !== undefined && isKeyAcceptedAt(found, Date.now()) ? found.key : undefined;
  }
}
