import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { auditedFieldsOfRule, type NotificationRuleId } from '../domain/notification-rule.js';
import { NotificationRules } from '../infrastructure/persistence/notification-rules.js';

export interface DeleteNotificationRuleInput extends Actor {
  readonly organizationId: OrganizationId;
  readonly id: NotificationRuleId;
}

/** Emails that are already queued are still sent. */
@Injectable()
export class DeleteNotificationRule {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rules: NotificationRules,
    private readonly auditLog: AuditLog,
  ) {}

  async delete({ organizationId, id, actor, address }: DeleteNotificationRuleInput): Promise<void> {
    await this.unitOfWork.run(async () => {
      const rule = await this.rules.lockRule(organizationId, id);
      const emails = (await this.rules.recipients(organizationId, id)).map(({ email }) => email);
      await this.rules.delete(organizationId, id);
      await this.auditLog.record({
        ...{ actor, address, organizationId, subjectId: id, at: await this.clock.now() },
        action: 'mail_rule.deleted',
        before: auditedFieldsOfRule(rule, emails),
        after: null,
      });
    });
  }
}
