import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import type { RecipientWithRule } from '../domain/notification-rule.js';
import { NotificationRules } from '../infrastructure/persistence/notification-rules.js';
import { CONFIRMATION_LINK_DAYS } from './send-confirmation-mails.js';
import { NotificationLinks } from './notification-links.js';

const DAY_MS = 86_400_000;
/** The audit log stores each confirmation permanently. */
const MIN_MINUTES_BETWEEN_CONFIRMATIONS = 5;

export type RecipientStatus = 'to_confirm' | 'expired' | 'subscribed' | 'unsubscribed';

@Injectable()
export class ChangeMailConsent {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rules: NotificationRules,
    private readonly auditLog: AuditLog,
    private readonly mails: OutgoingMails,
    private readonly links: NotificationLinks,
  ) {}

  /** Changes nothing, because mail programs open links automatically. @throws not_found */
  async read(token: string): Promise<{ recipient: RecipientWithRule; state: RecipientStatus }> {
    const recipient = await this.rules.findRecipientByToken(token);
    return { recipient, state: stateOf(recipient, await this.clock.now()) };
  }

  /** @throws not_found, or state_conflict if the link has expired or the recipient confirmed minutes ago */
  async confirm(token: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { recipient, state } = await this.read(token);
      if (state === 'expired') throw stateConflict('This link has expired. Ask for a new link.');
      const at = await this.clock.now();
      if (state === 'unsubscribed') requirePauseSinceConfirmation(recipient, at);
      if (await this.rules.confirmRecipient(recipient, at)) await this.record('confirmed', recipient, at);
    });
  }

  async unsubscribe(token: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const recipient = await this.rules.findRecipientByToken(token);
      // Emails that are being queued concurrently hold this lock, so they are withdrawn too.
      await this.rules.lockRule(recipient.organizationId, recipient.ruleId);
      const at = await this.clock.now();
      if (await this.rules.unsubscribeRecipient(recipient, at))
        await this.record('unsubscribed', recipient, at);
      await this.mails.withdraw([this.links.mailConsentUrl(recipient.token)]);
    });
  }

  private record(
    what: 'confirmed' | 'unsubscribed',
    { email, organizationId, ruleId }: RecipientWithRule,
    at: Date,
  ): Promise<void> {
    return this.auditLog.record({
      actor: email,
      action: `mail_recipient.${what}`,
      organizationId,
      subjectId: ruleId,
      before: null,
      after: { email },
      at,
    });
  }
}

function requirePauseSinceConfirmation({ confirmedAt }: RecipientWithRule, now: Date): void {
  const minutes = confirmedAt === null ? Infinity : (now.getTime() - confirmedAt.getTime()) / 60_000;
  if (minutes < MIN_MINUTES_BETWEEN_CONFIRMATIONS)
    throw stateConflict('You have just unsubscribed. You can subscribe again in five minutes.');
}

function stateOf({ confirmedAt, unsubscribedAt, askedAt }: RecipientWithRule, now: Date): RecipientStatus {
  if (unsubscribedAt !== null) return 'unsubscribed';
  if (confirmedAt !== null) return 'subscribed';
  const isLate = askedAt === null || now.getTime() - askedAt.getTime() > CONFIRMATION_LINK_DAYS * DAY_MS;
  return isLate ? 'expired' : 'to_confirm';
}
