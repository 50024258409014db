import type { AuditAction, AuditEntry, AuditLog } from '../../contract/audit-log.js';
import type { Credential } from '../../domain/credentials/credential.js';

/** `before` is null if it was created, `after` is null if it was deleted. */
interface AuditedCredentialChange extends Pick<AuditEntry, 'actor' | 'address' | 'at'> {
  readonly before: Credential | null;
  readonly after: Credential | null;
  readonly secretFingerprint?: string;
}

export function recordCredentialAuditEntry(
  auditLog: AuditLog,
  action: Extract<AuditAction, `credential.${string}`>,
  { actor, address, at, before, after, secretFingerprint }: AuditedCredentialChange,
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
    before: before && auditableCredential(before),
    after: after && { ...auditableCredential(after), ...fingerprint },
  });
}

/** Must include every field that affects the credential's rights. */
function auditableCredential(credential: Credential): object {
  return {
    key_id: credential.keyId,
    account_id: credential.accountId,
    name: credential.name,
    roles: credential.roles,
    allowed_ips: credential.allowedAddresses,
    enabled: credential.enabled,
    ...(credential.pairing && {
      point_of_sale_id: credential.pairing.pointOfSaleId,
      paired_by: credential.pairing.pairedBy,
      paired_as: credential.pairing.pairedAs,
    }),
  };
}
