import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId, CredentialId, OrganizationId } from '#shared/kernel/ids.js';

/** What a credential may do; neither implies the other. */
export type CredentialRole = 'read' | 'write';

const ROLES: readonly CredentialRole[] = ['read', 'write'];

/** An API credential without its secret, which is shown once and never again. */
export interface Credential {
  readonly id: CredentialId;
  readonly keyId: string;
  readonly organizationId: OrganizationId;
  /** `null`: acts for all accounts of the organization. */
  readonly accountId: AccountId | null;
  readonly name: string;
  readonly roles: readonly CredentialRole[];
  /** Canonical CIDR ranges it may be used from; none: from anywhere. */
  readonly allowedAddresses: readonly string[];
  readonly enabled: boolean;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Each role once, in a fixed order. @throws DomainError for none or an unknown one */
export function rolesFrom(words: readonly string[]): CredentialRole[] {
  if (words.length === 0 || words.some((word) => !(ROLES as readonly string[]).includes(word))) {
    throw invalidField('roles', 'roles', 'must be read, write or both.');
  }
  return ROLES.filter((role) => words.includes(role));
}
