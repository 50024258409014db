import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import type { NotificationRule, RuleRecipient } from '../domain/notification-rule.js';
import { PostgresNotificationRules } from '../infrastructure/persistence/postgres-notification-rules.js';
import { confirmationMail } from './confirmation-mail.js';
import { NotificationLinks } from './notification-links.js';

@Injectable()
export class AskAddresses {
  constructor(
    private readonly rules: PostgresNotificationRules,
    private readonly mails: OutgoingMails,
    private readonly links: NotificationLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Sends the confirmation email again to unconfirmed addresses of a rule. @throws not_found, and the errors of `ask` */
  async again(
    { organizationId, id }: Pick<NotificationRule, 'organizationId' | 'id'>,
    name: string,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      const rule = await this.rules.lock(organizationId, id);
      const unconfirmed = (await this.rules.recipients(organizationId, id)).filter(
        ({ confirmedAt, unsubscribedAt }) => confirmedAt === null && unsubscribedAt === null,
      );
      await this.ask(rule, name, unconfirmed, await this.clock.now());
    });
  }

  /** Runs in the unit of work that stores the recipients. @throws state_conflict at the limit of emails to arbitrary addresses */
  async ask(
    rule: NotificationRule,
    organizationName: string,
    recipients: readonly RuleRecipient[],
    at: Date,
  ): Promise<void> {
    // Sorted, so that concurrent units of work for the same addresses take the locks in the same order.
    const ordered = [...recipients].sort((one, other) => (one.email < other.email ? -1 : 1));
    for (const { id, email, token } of ordered) {
      await this.rules.noteAsking(id, at);
      await this.mails.queueToNamed(
        confirmationMail(email, organizationName, rule.kinds, this.links.recipient(token)),
        rule.organizationId,
      );
    }
  }
}
