import { Injectable } from '@nestjs/common';
import type { CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment, type Credential } from '../../domain/credentials/credential.js';
import { refusals } from '../../domain/credentials/access-refusals.js';

export type ProvableCredential = Pick<
  Credential,
  'id' | 'keyId' | 'organizationId' | 'accountId' | 'roles' | 'allowedAddresses' | 'enabled'
> & {
  readonly secretDigest: Buffer;
  /** Null for an API key. */
  readonly pointOfSaleId: PointOfSaleId | null;
};

export interface CredentialState {
  /** Database time of the read. Set even if the credential does not exist. */
  readonly now: Date;
  readonly credential: ProvableCredential | null;
}

export abstract class CredentialProofs {
  /** One statement, never cached, so that every replica sees a change on the next request. */
  abstract read(keyId: string): Promise<CredentialState>;
  /** Written to the database within a minute. Only a crash loses it. */
  abstract noteUse(id: CredentialId, at: Date): void;
}

export interface Access {
  /** Claims of a token whose signature, issuer and audience are already verified. */
  token: { credentialId: CredentialId; expiresAt: Date };
  apiKey: string;
  /** Canonical address of the caller. */
  address: string;
}

/**
 * Runs the checks that depend on the credential's current state and the database clock, in a fixed order (docs/reference/authentication.md,
 * "Order of checks"). Reads the database once.
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
