import type { AuditEntry, AuditLog } from '../../contract/audit-log.js';
import type { Credential } from '../../domain/credentials/credential.js';

/** A credential before and after a change; null where it did not exist yet or does no more. */
interface CredentialChanged extends Pick<AuditEntry, 'actor' | 'address' | 'at'> {
  readonly before: Credential | null;
  readonly after: Credential | null;
  /** Of a new one: tells its secret from another one, and proves neither. */
  readonly secretFingerprint?: string;
}

export function auditCredential(
  auditLog: AuditLog,
  action: `credential.${string}`,
  { actor, address, at, before, after, secretFingerprint }: CredentialChanged,
): Promise<void> {
  const { organizationId, id: subjectId } = (after ?? before)!;
  const fingerprint = secretFingerprint === undefined ? {} : { secret_fingerprint: secretFingerprint };
  return auditLog.record({
    actor,
    address,
    action,
    organizationId,
    subjectId,
    at,
    before: before && auditable(before),
    after: after && { ...auditable(after), ...fingerprint },
  });
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
