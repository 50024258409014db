import { DomainError } from '#shared/kernel/domain-error.js';

const unauthenticated = (code: string, sentence: string) => () =>
  new DomainError('unauthenticated', code, sentence);

/** Errors in the order of the checks (docs/reference/authentication.md). */
export const accessRefusals = {
  tokenMissing: unauthenticated(
    'token_missing',
    'The access token is missing. Send it as `Authorization: Bearer <token>`.',
  ),
  apiKeyMissing: unauthenticated(
    'api_key_missing',
    'The key id is missing. Send it in the `x-service-api-key` header.',
  ),
  tokenInvalid: unauthenticated(
    'token_invalid',
    'The access token is not valid. Send one token, exactly as returned by POST /v1/auth/token.',
  ),
  tokenExpired: unauthenticated(
    'token_expired',
    'The access token has expired. Get a new one from POST /v1/auth/token.',
  ),
  apiKeyMismatch: unauthenticated(
    'api_key_mismatch',
    'The key id in `x-service-api-key` does not match the access token. Send the key id that the token was ' +
      'issued to, and send the header only once.',
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
    new DomainError(
      'forbidden',
      'ip_not_allowed',
      'Your IP address is not on this credential’s allowlist. Call from an allowed address, or change the ' +
        'allowlist.',
    ),
  roleRequired: (role: string) =>
    new DomainError(
      'forbidden',
      'role_required',
      `This operation requires the role ${role}. Use a credential that has this role.`,
    ),
  deviceNotAllowed: () =>
    new DomainError(
      'forbidden',
      'device_not_allowed',
      'A paired device can only create, read and end payment requests of the point of sale that it is paired with. Use an API key.',
    ),
  organizationScopeRequired: () =>
    new DomainError(
      'forbidden',
      'organization_scope_required',
      'This operation requires an organization-level credential. The credential that you sent is limited to ' +
        'one account.',
    ),
};
