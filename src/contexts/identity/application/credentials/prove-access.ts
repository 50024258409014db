import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment } from '../../domain/credentials/key-id.js';
import { refusals } from '../../domain/credentials/access-refusals.js';
import { CredentialProofs, type ProvableCredential } from './credential-proofs.js';

export interface Access {
  /** What a token says whose signature, issuer and audience are proven. */
  token: { credentialId: CredentialId; expiresAt: Date };
  /** As the api key header named it. */
  apiKey: string;
  /** Canonical address of the caller. */
  address: string;
}

/**
 * The proofs that depend on the credential's present state and on the one clock, in their fixed order
 * (docs/api/authentication.md, "Order of the proofs"). One reading of the database.
 */
@Injectable()
export class ProveAccess {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly proofs: CredentialProofs,
  ) {}

  async execute({ token, apiKey, address }: Access): Promise<{ credential: ProvableCredential; now: Date }> {
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
