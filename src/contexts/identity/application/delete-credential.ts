import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import type { CredentialId, OrganizationId } from '../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { auditable, AuditLog } from './audit-log.js';
import { Credentials } from './credentials.js';

export interface CredentialDeletion {
  organizationId: OrganizationId;
  credentialId: CredentialId;
  actor: string;
}

/** For good: only the audit log still knows it. */
@Injectable()
export class DeleteCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
  ) {}

  async execute({ organizationId, credentialId, actor }: CredentialDeletion): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = await this.credentials.lock(organizationId, credentialId);
      await this.credentials.remove(organizationId, credentialId);
      await this.auditLog.record({
        actor,
        action: 'credential.deleted',
        organizationId,
        subjectId: credentialId,
        before: auditable(before),
        after: null,
        at: await this.clock.now(),
      });
    });
  }
}
