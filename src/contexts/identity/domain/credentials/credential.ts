import { invalidField } from '#shared/kernel/domain-error.js';
import type { CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import type {
  AccountId,
  CollaboratorId,
  CredentialId,
  OrganizationId,
  PointOfSaleId,
} from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Actor } from '../../contract/audit-log.js';
import type { AccountScope } from '../../contract/account-scope-rule.js';

/** The rights of a credential; neither implies the other. */
export type CredentialRole = 'read' | 'write';

const ROLES: readonly CredentialRole[] = ['read', 'write'];

/** The binding of a device to the one point of sale that it acts on. */
export interface Pairing {
  readonly pointOfSaleId: PointOfSaleId;
  readonly pairedBy: CollaboratorId;
  /** The person's role when the device was paired. */
  readonly pairedAs: CollaboratorRole;
}

/** A credential without its secret, which is shown once and never again. */
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
  /** `null`: an API key. */
  readonly pairing: Pairing | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_KEY_NAME_LENGTH = 200;

/** Each role once, in a fixed order. @throws DomainError for none or an unknown one */
export function rolesFrom(words: readonly string[]): CredentialRole[] {
  if (words.length === 0 || words.some((word) => !(ROLES as readonly string[]).includes(word))) {
    throw invalidField('roles', 'roles', 'must be read, write or both.');
  }
  return ROLES.filter((role) => words.includes(role));
}

/** A credential of an organization, and who changes it. */
export interface CredentialReference extends Actor {
  organizationId: OrganizationId;
  credentialId: CredentialId;
}

/** A method that says nothing else knows API keys alone, and no device. */
export abstract class Credentials {
  /** @param secretDigest SHA-256 of the secret. Refuses to run outside a unit of work. */
  abstract add(credential: Credential, secretDigest: Buffer): Promise<void>;
  /** @throws not_found, also for another organization's */
  abstract read(owner: OrganizationId, id: CredentialId): Promise<Credential>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another organization's */
  abstract lock(owner: OrganizationId, id: CredentialId): Promise<Credential>;
  /** The credentials of one account, also of devices, row-locked until the unit of work ends. */
  abstract lockOf(account: AccountScope): Promise<Credential[]>;
  /** Stores name, roles, allowed addresses and whether it is enabled; nothing else can change. */
  abstract save(credential: Credential): Promise<void>;
  /** Removes also a device. */
  abstract remove(owner: OrganizationId, id: CredentialId): Promise<void>;
  /** Row-locked until the unit of work ends. @throws not_found, also for an API key and a device of another point of sale */
  abstract lockDevice(
    owner: OrganizationId,
    pointOfSale: PointOfSaleId,
    id: CredentialId,
  ): Promise<Credential>;
  /** Devices that the person paired, row-locked until the unit of work ends. */
  abstract lockPairedBy(person: CollaboratorId): Promise<Credential[]>;
  /** Oldest first. */
  abstract list(owner: OrganizationId, page: PageRequest): Promise<Page<Credential>>;
  /** Finds a credential of any tenant by id or key id; only the operator calls it. @throws not_found */
  abstract find(idOrKeyId: string): Promise<Credential>;
}
