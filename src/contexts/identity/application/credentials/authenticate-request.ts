import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { allowsIpAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { keyIdOf, ApiKeyEnvironment } from '../../domain/credentials/credential.js';
import { accessRefusals } from '../../domain/credentials/access-refusals.js';
import {
  CredentialLookup,
  type CredentialWithSecretDigest,
} from '../../infrastructure/credentials/persistence/credential-lookup.js';

export interface AuthenticateRequestInput {
  token: { credentialId: CredentialId; expiresAt: Date };
  apiKey: string;
  address: string;
}

/** In the order of docs/reference/authentication.md ("Order of checks"). */
@Injectable()
export class AuthenticateRequest {
  constructor(
    private readonly environment: ApiKeyEnvironment,
    private readonly proofs: CredentialLookup,
  ) {}

  async authenticate({
    token,
    apiKey,
    address,
  }: AuthenticateRequestInput): Promise<{ credential: CredentialWithSecretDigest; now: Date }> {
    const keyId = keyIdOf(this.environment.name, token.credentialId);
    const { credential, now } = await this.proofs.read(keyId);
    if (now >= token.expiresAt) throw accessRefusals.tokenExpired();
    if (apiKey === null || this.environment.canonicalKeyId(apiKey) !== keyId)
      throw accessRefusals.apiKeyMismatch();
    if (credential === null) throw accessRefusals.credentialsInvalid();
    if (!credential.enabled) throw accessRefusals.credentialDisabled();
    if (!allowsIpAddress(credential.allowedAddresses, address)) throw accessRefusals.addressNotAllowed();
    this.proofs.recordUse(credential.id, now);
    return { credential, now };
  }
}
