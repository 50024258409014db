import type { OrganizationId } from '../../../shared/kernel/ids.js';
import type { Credential } from '../domain/credential.js';

/** A change that somebody made by hand. No secret and no digest enters it. */
export interface AuditEntry {
  /** Who: the operator's command, later a collaborator. */
  readonly actor: string;
  /** What, as `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only. An entry commits with the change it tells of, or not at all. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;
}

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
