import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import { type AuditAction, AuditLog } from '../../contract/audit-log.js';
import { OutgoingMails } from '../../contract/outgoing-mails.js';
import { securityNoticeMail } from '../../domain/people/mails.js';

export interface ActingCollaborator {
  readonly collaboratorId: CollaboratorId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly address: string;
}

@Injectable()
export class RecordSecurityChange {
  constructor(
    private readonly clock: Clock,
    private readonly mails: OutgoingMails,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Must run inside the change's unit of work. @param sentence for the mail;
   * null sends no mail
   */
  async record(
    person: ActingCollaborator,
    action: AuditAction,
    sentence: string | null,
    details: object | null = null,
  ): Promise<void> {
    const at = await this.clock.now();
    const { collaboratorId: subjectId, organizationId, email, address } = person;
    if (sentence !== null) await this.mails.queue(securityNoticeMail(email, sentence, address, at));
    await this.auditLog.record({
      actor: email,
      address,
      action,
      organizationId,
      subjectId,
      at,
      before: null,
      after: details,
    });
  }
}
