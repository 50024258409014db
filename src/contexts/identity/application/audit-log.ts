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

/** A credential before and after a change; null where it did not exist yet or does no more. */
interface CredentialChanged extends Pick<AuditEntry, 'actor' | 'at'> {
  readonly before: Credential | null;
  readonly after: Credential | null;
}

/** Append-only. An entry commits with the change it tells of, or not at all. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;

  recordCredential(action: `credential.${string}`, change: CredentialChanged): Promise<void> {
    const { actor, at, before, after } = change;
    const { organizationId, id: subjectId } = (after ?? before)!;
    const states = { before: before && auditable(before), after: after && auditable(after) };
    return this.record({ ...{ actor, action, organizationId, subjectId, at }, ...states });
  }
}

/** What of a credential the audit log keeps: whatever decides who may do what with it. */
function auditable(credential: Credential): object {
  return {
    key_id: credential.keyId,
    account_id: credential.accountId,
    name: credential.name,
    roles: credential.roles,
    allowed_ips: credential.allowedAddresses,
    enabled: credential.enabled,
  };
}
