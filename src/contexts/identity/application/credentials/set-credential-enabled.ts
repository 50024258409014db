import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import type { Credential, CredentialReference } from '../../domain/credentials/credential.js';
import { AuditLog } from '../../contract/audit-log.js';
import { recordCredentialAuditEntry } from './record-credential-audit-entry.js';

export interface SetCredentialEnabledInput extends CredentialReference {
  enabled: boolean;
}

/** Tokens issued before a credential is disabled work again after it is enabled, until they expire. */
@Injectable()
export class SetCredentialEnabled {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
  ) {}

  async set({
    organizationId,
    credentialId,
    enabled,
    actor,
    address,
  }: SetCredentialEnabledInput): Promise<Credential> {
    return this.unitOfWork.run(async () => {
      const before = await this.credentials.lockCredentialRow(organizationId, credentialId);
      if (before.enabled === enabled) return before;
      const at = await this.clock.now();
      const after: Credential = { ...before, enabled, updatedAt: at };
      await this.credentials.save(after);
      const action = enabled ? 'credential.enabled' : 'credential.disabled';
      await recordCredentialAuditEntry(this.auditLog, action, { actor, address, at, before, after });
      return after;
    });
  }
}
