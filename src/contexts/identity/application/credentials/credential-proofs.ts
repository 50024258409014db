import type { CredentialId } from '#shared/kernel/ids.js';
import type { Credential } from '../../domain/credentials/credential.js';

/** A credential as it stands at this moment, with all that a proof needs. */
export type ProvableCredential = Pick<
  Credential,
  'id' | 'keyId' | 'organizationId' | 'accountId' | 'roles' | 'allowedAddresses' | 'enabled'
> & { readonly secretDigest: Buffer };

export interface CredentialState {
  /** The database clock's time of the reading, also when there is no such credential. */
  readonly now: Date;
  readonly credential: ProvableCredential | null;
}

export abstract class CredentialProofs {
  /** One statement; never from memory, so that a change acts on the very next request on every replica. */
  abstract read(keyId: string): Promise<CredentialState>;
  /** Remembers that it was used; written within a minute, losing only what a crash loses. */
  abstract noteUse(id: CredentialId, at: Date): void;
}
