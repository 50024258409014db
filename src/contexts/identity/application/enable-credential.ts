import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import type { CredentialId, OrganizationId } from '../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import type { Credential } from '../domain/credential.js';
import { auditable, AuditLog } from './audit-log.js';
import { Credentials } from './credentials.js';

export interface CredentialSwitch {
  organizationId: OrganizationId;
  credentialId: CredentialId;
  enabled: boolean;
  actor: string;
}

/** Disabled, a credential neither exchanges nor uses tokens from the next request on; enabled, it works as before. */
@Injectable()
export class EnableCredential {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly credentials: Credentials,
    private readonly auditLog: AuditLog,
  ) {}

  async execute({ organizationId, credentialId, enabled, actor }: CredentialSwitch): Promise<Credential> {
    return this.unitOfWork.run(async () => {
      const before = await this.credentials.lock(organizationId, credentialId);
      if (before.enabled === enabled) return before;
      const at = await this.clock.now();
      const after: Credential = { ...before, enabled, updatedAt: at };
      await this.credentials.save(after);
      await this.auditLog.record({
        actor,
        action: enabled ? 'credential.enabled' : 'credential.disabled',
        organizationId,
        subjectId: credentialId,
        before: auditable(before),
        after: auditable(after),
        at,
      });
      return after;
    });
  }
}
