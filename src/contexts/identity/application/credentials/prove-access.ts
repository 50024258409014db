import { Injectable } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment, type Credential } from '../../domain/credentials/credential.js';
import { refusals } from '../../domain/credentials/access-refusals.js';

/** A credential as it stands at this moment, with all that a proof needs. */
export type ProvableCredential = Pick<
  Credential,
  'id' | 'keyId' | 'organizationId' | 'accountId' | 'roles' | 'allowedAddresses' | 'enabled'
> & {
  readonly secretDigest: Buffer;
  /** Null for an API key. */
  readonly pointOfSaleId: PointOfSaleId | null;
};

export interface CredentialState {
  /** The database clock's time of the reading, also when there is no such credential. */
  readonly now: Date;
  readonly credential: ProvableCredential | null;
}

export abstract class CredentialProofs {
  /** One statement; never from memory, so that a change acts on the very next request on every replica. */
  abstract read(keyId: string): Promise<CredentialState>;
  /** Remembers the use; it is stored within a minute, and only a crash loses it. */
  abstract noteUse(id: CredentialId, at: Date): void;
}

export interface Access {
  /** Claims of a token whose signature, issuer and audience are proven. */
  token: { credentialId: CredentialId; expiresAt: Date };
  /** The value of the API key header. */
  apiKey: string;
  /** Canonical address of the caller. */
  address: string;
}

/**
 * The proofs that depend on the credential's present state and on the one clock, in their fixed order
 * (docs/reference/authentication.md, "Order of checks"). One reading of the database.
 */
@Injectable()
export class ProveAccess {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly proofs: CredentialProofs,
  ) {}

  async prove({ token, apiKey, address }: Access): Promise<{ credential: ProvableCredential; now: Date }> {
    const keyId = keyIdOf(this.environment.name, token.credentialId);
    const { credential, now } = await this.proofs.read(keyId);
    if (now >= token.expiresAt) throw refusals.tokenExpired();
    if (apiKey !== keyId) throw refusals.apiKeyMismatch();
    if (credential === null) throw refusals.credentialsInvalid();
    if (!credential.enabled) throw refusals.credentialDisabled();
    if (!allowsAddress(credential.allowedAddresses, address)) throw refusals.addressNotAllowed();
    this.proofs.noteUse(credential.id, now);
    return { credential, now };
  }
}
