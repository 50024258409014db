import { DomainError } from '#shared/kernel/domain-error.js';

const unauthenticated = (code: string, sentence: string) => () =>
  new DomainError('unauthenticated', code, sentence);

/** Refusals of a caller, in the order of the proofs (docs/reference/authentication.md). */
export const refusals = {
  tokenMissing: unauthenticated('token_missing', 'Send the access token as `Authorization: Bearer <token>`.'),
  apiKeyMissing: unauthenticated('api_key_missing', 'Send the key id in the `x-service-api-key` header.'),
  tokenInvalid: unauthenticated(
    'token_invalid',
    'The access token is not valid here. Send one token, exactly as POST /v1/auth/token answered it.',
  ),
  tokenExpired: unauthenticated(
    'token_expired',
    'The access token has expired. Exchange the credentials for a new one.',
  ),
  apiKeyMismatch: unauthenticated(
    'api_key_mismatch',
    'Send in `x-service-api-key`, once, the key id that the access token was issued to.',
  ),
  credentialsInvalid: unauthenticated(
    'credentials_invalid',
    'These credentials are not valid. Check the key id and its secret.',
  ),
  credentialDisabled: unauthenticated(
    'credential_disabled',
    'This credential is disabled. Enable it or use another one.',
  ),
  addressNotAllowed: () =>
    new DomainError('forbidden', 'ip_not_allowed', 'This address is not on the allowlist of the credential.'),
  roleRequired: (role: string) =>
    new DomainError('forbidden', 'role_required', `This operation wants a credential with the role ${role}.`),
  deviceNotAllowed: () =>
    new DomainError(
      'forbidden',
      'device_not_allowed',
      'A paired device creates, reads and ends payment requests of its own point of sale alone. Use an API key.',
    ),
  organizationScopeRequired: () =>
    new DomainError(
      'forbidden',
      'organization_scope_required',
      'This operation wants a credential of the whole organization, not of one account.',
    ),
};
