import { invalidField } from '#shared/kernel/domain-error.js';
import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import {
  type AccountId,
  type CollaboratorId,
  type CredentialId,
  type OrganizationId,
  type PointOfSaleId,
  isUuid,
} from '#shared/kernel/ids.js';
import type { Actor } from '../../contract/audit-log.js';

export type CredentialRole = 'read' | 'write';

const CREDENTIAL_ROLES: readonly CredentialRole[] = ['read', 'write'];

export interface DeviceBinding {
  readonly pointOfSaleId: PointOfSaleId;
  readonly pairedBy: CollaboratorId;
  readonly pairedAs: CollaboratorRole;
}

export interface Credential {
  readonly id: CredentialId;
  readonly keyId: string;
  readonly organizationId: OrganizationId;
  /** Null: acts for all accounts of the organization. */
  readonly accountId: AccountId | null;
  readonly name: string;
  readonly roles: readonly CredentialRole[];
  /** Empty if every address is allowed. */
  readonly allowedAddresses: readonly string[];
  readonly enabled: boolean;
  readonly lastUsedAt: Date | null;
  /** Null for an API key; set for a paired device. */
  readonly pairing: DeviceBinding | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_KEY_NAME_LENGTH = 200;

/** @throws DomainError for an empty list or an unknown role */
export function rolesFrom(words: readonly string[]): CredentialRole[] {
  if (words.length === 0 || words.some((word) => !(CREDENTIAL_ROLES as readonly string[]).includes(word))) {
    throw invalidField('roles', 'roles', 'must be read, write or both.');
  }
  return CREDENTIAL_ROLES.filter((role) => words.includes(role));
}

export interface CredentialReference extends Actor {
  organizationId: OrganizationId;
  credentialId: CredentialId;
}

export type ServiceEnvironment = 'development' | 'staging' | 'production';

export class ApiKeyEnvironment {
  /** @param otherPrefixes accepted in place of the environment's prefix, for clients of another service */
  constructor(
    readonly name: ServiceEnvironment,
    private readonly otherPrefixes: readonly string[] = [],
  ) {}

  /** Replaces another accepted prefix. */
  canonicalKeyId(text: string): string {
    const prefix = this.otherPrefixes.find((each) => text.startsWith(each));
    return prefix === undefined ? text : KEY_ID_PREFIXES[this.name] + text.slice(prefix.length);
  }
}

const KEY_ID_PREFIXES: Record<ServiceEnvironment, string> = {
  development: 'svc.dev.',
  staging: 'svc.stg.',
  production: 'svc.prd.',
};

/** The public half of a credential. */
export function keyIdOf(environment: ServiceEnvironment, id: CredentialId): string {
  return KEY_ID_PREFIXES[environment] + id;
}

export function isKeyIdOf(environment: ServiceEnvironment, text: string): boolean {
  const prefix = KEY_ID_PREFIXES[environment];
  return text.startsWith(prefix) && isUuid(text.slice(prefix.length)) && text === text.toLowerCase();
}
