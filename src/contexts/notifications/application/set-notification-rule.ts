import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { type AuditAction, AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  auditedFieldsOfRule,
  MAX_RULES_PER_ACCOUNT,
  parseRecipients,
  REPORT_KINDS,
  parseRuleTerms,
  type SubmittedRule,
  type NotificationRule,
  type NotificationRuleId,
  type RuleRecipient,
} from '../domain/notification-rule.js';
import { NotificationRules } from '../infrastructure/persistence/notification-rules.js';
import { startOfCurrentPeriod, rangeOfPeriod } from '../domain/report-period.js';
import { SendConfirmationMails } from './send-confirmation-mails.js';

export interface SetNotificationRuleInput extends Actor {
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly asked: SubmittedRule;
}

@Injectable()
export class SetNotificationRule {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rules: NotificationRules,
    private readonly accounts: AccountDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly askAddresses: SendConfirmationMails,
    private readonly auditLog: AuditLog,
    private readonly cell: DeploymentCell,
  ) {}

  /** @throws validation_failed, account_not_allowed, or state_conflict if there are too many rules or addresses */
  async create(account: string, change: SetNotificationRuleInput): Promise<NotificationRuleId> {
    const { organizationId, asked } = change;
    const { accountId } = await this.accounts.narrowScope({ organizationId, accountId: null }, account);
    const [terms, emails] = [
      parseRuleTerms(asked, this.catalogue.assets()),
      parseRecipients(asked.recipients),
    ];
    const id = newId<NotificationRuleId>();
    await this.unitOfWork.run(async () => {
      const createdAt = await this.clock.now();
      const rule: NotificationRule = { ...terms, id, organizationId, accountId, createdAt };
      if (!(await this.rules.add(rule)))
        throw stateConflict(
          `The account already has ${MAX_RULES_PER_ACCOUNT} notification rules, the maximum. Delete one first.`,
        );
      await this.store(rule, emails, change, createdAt);
      await this.record('mail_rule.created', change, rule, null, emails, createdAt);
    });
    return id;
  }

  /** Addresses that stay in the rule stay confirmed. @throws validation_failed, not_found, state_conflict */
  async change(id: NotificationRuleId, change: SetNotificationRuleInput): Promise<void> {
    const { organizationId, asked } = change;
    const [terms, emails] = [
      parseRuleTerms(asked, this.catalogue.assets()),
      parseRecipients(asked.recipients),
    ];
    await this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const before = await this.rules.lockRule(organizationId, id);
      const emailsBefore = (await this.rules.recipients(organizationId, id)).map(({ email }) => email);
      const rule = { ...before, ...terms };
      await this.rules.save(rule, at);
      await this.store(rule, emails, change, at);
      const [old, set] = [auditedFieldsOfRule(before, emailsBefore), auditedFieldsOfRule(rule, emails)];
      // A form submitted twice is not recorded in the audit log.
      if (JSON.stringify(old) !== JSON.stringify(set))
        await this.record('mail_rule.changed', change, rule, old, emails, at);
    });
  }

  private async store(
    rule: NotificationRule,
    emails: readonly string[],
    { organizationName }: SetNotificationRuleInput,
    at: Date,
  ): Promise<void> {
    const known = await this.rules.recipients(rule.organizationId, rule.id);
    await this.rules.removeRecipients(
      rule.organizationId,
      known.filter(({ email }) => !emails.includes(email)).map(({ id }) => id),
    );
    const added = emails.filter((email) => !known.some((recipient) => recipient.email === email));
    const recipientStates = await this.rules.recipientAddressStates(rule.organizationId, added);
    const toAsk: RuleRecipient[] = [];
    for (const { email, isCollaborator, hasUnsubscribed } of recipientStates) {
      const isProven = isCollaborator && !hasUnsubscribed;
      const recipient = { ...createRecipient(email, this.cell), confirmedAt: isProven ? at : null };
      await this.rules.addRecipient(rule, recipient, at);
      if (!isProven) toAsk.push(recipient);
    }
    await this.askAddresses.send(rule, organizationName, toAsk, at);
    await this.schedule(rule, at);
  }

  private async schedule({ organizationId, id, kinds, timeZone }: NotificationRule, at: Date): Promise<void> {
    const known = await this.rules.reportSchedules(organizationId, id);
    const schedules = Object.entries(REPORT_KINDS)
      .filter(([kind]) => (kinds as readonly string[]).includes(kind))
      .map(([, period]) => {
        const startsOn =
          known.find((each) => each.period === period)?.startsOn ??
          startOfCurrentPeriod(period, timeZone, at);
        return { period, startsOn, dueAt: rangeOfPeriod(period, startsOn, timeZone).dueAt };
      });
    await this.rules.saveReportSchedules(id, schedules);
  }

  private record(
    action: AuditAction,
    { actor, address }: Actor,
    rule: NotificationRule,
    before: object | null,
    emails: readonly string[],
    at: Date,
  ): Promise<void> {
    const { organizationId, id: subjectId } = rule;
    const after = { account_id: rule.accountId, ...auditedFieldsOfRule(rule, emails) };
    return this.auditLog.record({ actor, address, action, organizationId, subjectId, before, after, at });
  }
}

function createRecipient(email: string, cell: DeploymentCell): RuleRecipient {
  const token = cell.addCellMark(randomBytes(32).toString('base64url'));
  return { id: newId(), email, token, confirmedAt: null, unsubscribedAt: null };
}
