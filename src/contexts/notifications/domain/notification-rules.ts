import type { OrganizationId } from '#shared/kernel/ids.js';
import type { NotificationRule, NotificationRuleId, RuleKind } from './notification-rule.js';
import type { ReportPeriod } from './report-period.js';

/** An address that a rule mails to, once it has confirmed. */
export interface RuleRecipient {
  readonly id: string;
  readonly email: string;
  /** Names the recipient in the address of a page that anybody may open. */
  readonly token: string;
  readonly confirmedAt: Date | null;
  readonly unsubscribedAt: Date | null;
}

/** How an address stands with an organization. */
export interface RecipientState {
  readonly email: string;
  /** That of an enabled collaborator, who has proven it by accepting the invitation. */
  readonly isCollaborator: boolean;
  /** Has unsubscribed from a rule of the organization. */
  readonly hasUnsubscribed: boolean;
}

export interface ReportSchedule {
  readonly period: ReportPeriod;
  /** The first day of the next report's period. */
  readonly startsOn: string;
  readonly dueAt: Date;
}

/** The recipient that a token names, and what it gets. */
export interface NamedRecipient extends RuleRecipient {
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly ruleId: NotificationRuleId;
  readonly kinds: readonly RuleKind[];
  readonly askedAt: Date | null;
}

/** Repository of rules with their recipients and schedules. Writes refuse to run outside a unit of work. */
export abstract class NotificationRules {
  /** @returns false where the account has as many rules as it may have @throws not_found where it is deleted */
  abstract add(rule: NotificationRule): Promise<boolean>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another organization's */
  abstract lock(owner: OrganizationId, id: NotificationRuleId): Promise<NotificationRule>;
  abstract save(rule: NotificationRule, at: Date): Promise<void>;
  abstract delete(owner: OrganizationId, id: NotificationRuleId): Promise<void>;

  abstract recipients(owner: OrganizationId, id: NotificationRuleId): Promise<RuleRecipient[]>;
  abstract addRecipient(rule: NotificationRule, recipient: RuleRecipient, at: Date): Promise<void>;
  abstract removeRecipients(owner: OrganizationId, ids: readonly string[]): Promise<void>;
  abstract standings(owner: OrganizationId, emails: readonly string[]): Promise<RecipientState[]>;
  /** A mail asks this recipient to confirm. */
  abstract noteAsking(recipientId: string, at: Date): Promise<void>;

  abstract schedules(owner: OrganizationId, id: NotificationRuleId): Promise<ReportSchedule[]>;
  /** The rule, which the caller holds, has these schedules from now on, and no others. */
  abstract schedule(id: NotificationRuleId, schedules: readonly ReportSchedule[]): Promise<void>;

  /** @throws not_found */
  abstract named(token: string): Promise<NamedRecipient>;
  /** Also forgets that the address has unsubscribed. @returns false where it was confirmed and subscribed already */
  abstract confirm(recipient: NamedRecipient, at: Date): Promise<boolean>;
  /** Only this rule mails it no more. @returns false where it was unsubscribed already */
  abstract unsubscribe(recipient: NamedRecipient, at: Date): Promise<boolean>;
}
