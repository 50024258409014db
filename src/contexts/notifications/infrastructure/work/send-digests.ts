import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import type { NotificationRuleId } from '../../domain/notification-rule.js';
import { NotificationLinks } from '../../application/notification-links.js';
import { digestMail, digestMessage } from '../mail/digest-mail.js';
import { ChatChannels } from '../persistence/chat-channels.js';
import { PendingNotifications, type DueRule } from '../persistence/pending-notifications.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { NOTIFICATIONS_LOG_EVENTS } from '../log-events.js';

/** If emails cannot be queued, the pending events are kept. */
const RETRY_RULE_AFTER_SECONDS = 60;
const MAX_RULES_PER_CYCLE = 20;

/** One transaction queues emails and chat messages and removes their events, so each event is reported exactly once. */
@Injectable()
export class SendDigests {
  private readonly log = new OperatorLogWriter('mail digests', NOTIFICATIONS_LOG_EVENTS);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly pending: PendingNotifications,
    private readonly mails: OutgoingMails,
    private readonly channels: ChatChannels,
    private readonly links: NotificationLinks,
  ) {}

  async send(): Promise<boolean> {
    let isMore = false;
    for (const id of await this.pending.findDueRules(MAX_RULES_PER_CYCLE))
      isMore = (await this.mailRuleIfDue(id)) || isMore;
    return isMore;
  }

  /** @returns true if the rule was due and not locked */
  private async mailRuleIfDue(id: NotificationRuleId): Promise<boolean> {
    let due = null as DueRule | null;
    try {
      await this.unitOfWork.run(async () => {
        due = await this.pending.lockDueRule(id);
        if (due !== null) await this.mail(due);
      });
    } catch (error) {
      if (due === null) throw error;
      const retry = { retry_in_seconds: RETRY_RULE_AFTER_SECONDS, reason: String(error) };
      this.log.write('notifications.delayed', { rule_id: due.ruleId, ...retry });
      await this.pending.delayRule(due.ruleId, RETRY_RULE_AFTER_SECONDS);
    }
    return due !== null;
  }

  private async mail(rule: DueRule): Promise<void> {
    const { ruleId, addressees, hasChannels } = rule;
    if (addressees.length === 0 && !hasChannels) return this.pending.discardGroups(ruleId);
    if (await this.isHeldUp(rule)) return this.pending.delayRule(ruleId, RETRY_RULE_AFTER_SECONDS);
    const groups = await this.pending.takeGroups(ruleId);
    for (const addressee of addressees)
      await this.mails.queue(digestMail({ ...rule, groups }, addressee, this.links), rule.organizationId);
    if (hasChannels) await this.channels.queue(ruleId, digestMessage({ ...rule, groups }, this.links));
  }

  /** Emails must not accumulate. An unreachable address delays the others, and the chats, by at most an hour. */
  private async isHeldUp({ addressees, mailedWithinHour, hasChannels }: DueRule): Promise<boolean> {
    const urls = addressees.map(({ token }) => this.links.mailConsentUrl(token));
    const waiting = await this.mails.countWaiting(urls);
    const isNobodyReached = waiting === urls.length && !hasChannels;
    return isNobodyReached || (waiting > 0 && mailedWithinHour);
  }
}
