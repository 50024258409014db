import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, KeyEnvironment } from '../../domain/credentials/credential.js';
import { accessRefusals } from '../../domain/credentials/access-refusals.js';
import {
  CredentialProofs,
  type ProvableCredential,
} from '../../infrastructure/credentials/persistence/credential-proofs.js';

export interface AccessAttempt {
  token: { credentialId: CredentialId; expiresAt: Date };
  apiKey: string;
  address: string;
}

/** In the order of docs/reference/authentication.md ("Order of checks"). */
@Injectable()
export class ProveAccess {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly proofs: CredentialProofs,
  ) {}

  async prove({
    token,
    apiKey,
    address,
  }: AccessAttempt): Promise<{ credential: ProvableCredential; now: Date }> {
    const keyId = keyIdOf(this.environment.name, token.credentialId);
    const { credential, now } = await this.proofs.read(keyId);
    if (now >= token.expiresAt) throw accessRefusals.tokenExpired();
    if (apiKey !== keyId) throw accessRefusals.apiKeyMismatch();
    if (credential === null) throw accessRefusals.credentialsInvalid();
    if (!credential.enabled) throw accessRefusals.credentialDisabled();
    if (!allowsAddress(credential.allowedAddresses, address)) throw accessRefusals.addressNotAllowed();
    this.proofs.noteUse(credential.id, now);
    return { credential, now };
  }
}
