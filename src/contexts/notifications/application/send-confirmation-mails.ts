import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails, type Mail } from '#contexts/identity/contract/outgoing-mails.js';
import {
  type NotificationRule,
  type RuleRecipient,
  type RuleKind,
  kindsInWords,
} from '../domain/notification-rule.js';
import { NotificationRules } from '../infrastructure/persistence/notification-rules.js';
import { NotificationLinks } from './notification-links.js';
import { collapseToOneLine } from '#shared/kernel/text.js';

@Injectable()
export class SendConfirmationMails {
  constructor(
    private readonly rules: NotificationRules,
    private readonly mails: OutgoingMails,
    private readonly links: NotificationLinks,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Only to unconfirmed addresses. @throws not_found, and the errors of `ask` */
  async resend(
    { organizationId, id }: Pick<NotificationRule, 'organizationId' | 'id'>,
    name: string,
  ): Promise<void> {
    await this.unitOfWork.run(async () => {
      const rule = await this.rules.lockRule(organizationId, id);
      const unconfirmed = (await this.rules.recipients(organizationId, id)).filter(
        ({ confirmedAt, unsubscribedAt }) => confirmedAt === null && unsubscribedAt === null,
      );
      await this.send(rule, name, unconfirmed, await this.clock.now());
    });
  }

  /**
   * Must run in the unit of work that stores the recipients.
   * @throws state_conflict if the organization or an address has reached its daily limit of mails to typed addresses
   */
  async send(
    rule: NotificationRule,
    organizationName: string,
    recipients: readonly RuleRecipient[],
    at: Date,
  ): Promise<void> {
    // Sorted, so that concurrent units of work lock the same addresses in the same order.
    const ordered = [...recipients].sort((one, other) => (one.email < other.email ? -1 : 1));
    for (const { id, email, token } of ordered) {
      await this.rules.recordConfirmationMail(id, at);
      await this.mails.queueToTypedAddress(
        buildConfirmationMail(email, organizationName, rule.kinds, this.links.mailConsentUrl(token)),
        rule.organizationId,
      );
    }
  }
}

export const CONFIRMATION_LINK_DAYS = 7;

/**
 * The address may belong to a stranger, so the email contains no user input except the organization's name, which the
 * operator has approved.
 */
export function buildConfirmationMail(
  email: string,
  organizationName: string,
  kinds: readonly RuleKind[],
  link: string,
): Mail {
  const name = collapseToOneLine(organizationName);
  return {
    recipient: email,
    subject: `Confirm emails from ${name}`,
    body: `${name} wants to send emails to this address:
${kindsInWords(kinds)}.

Confirm here within ${CONFIRMATION_LINK_DAYS} days. Every email has an unsubscribe link.
${link}

If you did not expect this email, ignore it. Nothing is sent until you confirm.`,
  };
}
