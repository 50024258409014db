import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '../../contract/audit-log.js';
import { recordCredentialAuditEntry } from './record-credential-audit-entry.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';
import type { CredentialReference } from '../../domain/credentials/credential.js';

@Injectable()
export class DeleteCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
  ) {}

  async delete({ organizationId, credentialId, actor, address }: CredentialReference): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = await this.credentials.lockCredentialRow(organizationId, credentialId);
      await this.credentials.remove(organizationId, credentialId);
      const at = await this.clock.now();
      await recordCredentialAuditEntry(this.auditLog, 'credential.deleted', {
        actor,
        address,
        at,
        before,
        after: null,
      });
    });
  }
}
