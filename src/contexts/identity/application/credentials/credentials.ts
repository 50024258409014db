import type { CredentialId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Actor } from '../../contract/audit-log.js';
import type { AccountScope } from '../../contract/account-scope-rule.js';
import type { Credential } from '../../domain/credentials/credential.js';

/** A credential of an organization, and who changes it. */
export interface CredentialReference extends Actor {
  organizationId: OrganizationId;
  credentialId: CredentialId;
}

export abstract class Credentials {
  /** @param secretDigest SHA-256 of the secret. Refuses to run outside a unit of work. */
  abstract add(credential: Credential, secretDigest: Buffer): Promise<void>;
  /** @throws not_found, also for another organization's */
  abstract read(owner: OrganizationId, id: CredentialId): Promise<Credential>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another organization's */
  abstract lock(owner: OrganizationId, id: CredentialId): Promise<Credential>;
  /** Those of one account, row-locked until the unit of work ends. */
  abstract lockOf(account: AccountScope): Promise<Credential[]>;
  /** Stores name, roles, allowed addresses and whether it is enabled; nothing else can change. */
  abstract save(credential: Credential): Promise<void>;
  abstract remove(owner: OrganizationId, id: CredentialId): Promise<void>;
  /** Oldest first. */
  abstract list(owner: OrganizationId, page: PageRequest): Promise<Page<Credential>>;
  /** By id or key id, of any tenant: for the operator alone. @throws not_found */
  abstract find(idOrKeyId: string): Promise<Credential>;
}
