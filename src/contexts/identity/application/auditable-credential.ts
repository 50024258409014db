import type { Credential } from '../domain/credential.js';

/** What of a credential the audit log keeps: whatever decides who may do what with it. */
export function auditable(credential: Credential): object {
  return {
    key_id: credential.keyId,
    account_id: credential.accountId,
    name: credential.name,
    roles: credential.roles,
    allowed_ips: credential.allowedAddresses,
    enabled: credential.enabled,
  };
}
