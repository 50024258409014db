import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment } from '../../domain/credentials/credential.js';
import { refusals } from '../../domain/credentials/access-refusals.js';
import {
  CredentialProofs,
  type ProvableCredential,
} from '../../infrastructure/credentials/persistence/credential-proofs.js';

export interface Access {
  /** Claims of a token whose signature, issuer and audience are already verified. */
  token: { credentialId: CredentialId; expiresAt: Date };
  apiKey: string;
  /** Canonical IP address of the caller. */
  address: string;
}

/**
 * Runs the checks that depend on stored state, in the order of docs/reference/authentication.md ("Order of checks").
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
