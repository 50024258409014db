import type { AccountId, CredentialId, OrganizationId } from '../../../../shared/kernel/ids.js';
import type { Credential, CredentialRole } from '../../domain/credential.js';

export interface CredentialRow {
  id: CredentialId;
  key_id: string;
  organization_id: OrganizationId;
  account_id: AccountId | null;
  name: string;
  roles: CredentialRole[];
  allowed_addresses: string[];
  enabled: boolean;
  last_used_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export function credentialFromRow(row: CredentialRow): Credential {
  return {
    id: row.id,
    keyId: row.key_id,
    organizationId: row.organization_id,
    accountId: row.account_id,
    name: row.name,
    roles: row.roles,
    allowedAddresses: row.allowed_addresses,
    enabled: row.enabled,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
