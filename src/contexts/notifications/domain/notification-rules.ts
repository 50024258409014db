import type { OrganizationId } from '#shared/kernel/ids.js';
import type { NotificationRule, NotificationRuleId, RuleKind } from './notification-rule.js';
import type { ReportPeriod } from './report-period.js';

/** An address that receives the emails of a rule after it has confirmed. */
export interface RuleRecipient {
  readonly id: string;
  readonly email: string;
  /** Identifies the recipient in the URL of a public page. */
  readonly token: string;
  readonly confirmedAt: Date | null;
  readonly unsubscribedAt: Date | null;
}

/** Relationship of an address to an organization. */
export interface RecipientState {
  readonly email: string;
  /** True for an enabled collaborator, who has proven the address by accepting the invitation. */
  readonly isCollaborator: boolean;
  /** True if the address has unsubscribed from any rule of the organization. */
  readonly hasUnsubscribed: boolean;
}

export interface ReportSchedule {
  readonly period: ReportPeriod;
  /** First day of the period of the next report. */
  readonly startsOn: string;
  readonly dueAt: Date;
}

/** The recipient that a token identifies, with its rule. */
export interface NamedRecipient extends RuleRecipient {
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly ruleId: NotificationRuleId;
  readonly kinds: readonly RuleKind[];
  readonly askedAt: Date | null;
}

/** Repository of rules with their recipients and schedules. Writes require a unit of work. */
export abstract class NotificationRules {
  /** @returns false if the account has reached the maximum number of rules @throws not_found if the account is deleted */
  abstract add(rule: NotificationRule): Promise<boolean>;
  /** Locks the row until the unit of work ends. @throws not_found, also for a rule of another organization */
  abstract lock(owner: OrganizationId, id: NotificationRuleId): Promise<NotificationRule>;
  abstract save(rule: NotificationRule, at: Date): Promise<void>;
  abstract delete(owner: OrganizationId, id: NotificationRuleId): Promise<void>;

  abstract recipients(owner: OrganizationId, id: NotificationRuleId): Promise<RuleRecipient[]>;
  abstract addRecipient(rule: NotificationRule, recipient: RuleRecipient, at: Date): Promise<void>;
  abstract removeRecipients(owner: OrganizationId, ids: readonly string[]): Promise<void>;
  abstract standings(owner: OrganizationId, emails: readonly string[]): Promise<RecipientState[]>;
  /** Records the time of the confirmation email. */
  abstract noteAsking(recipientId: string, at: Date): Promise<void>;

  abstract schedules(owner: OrganizationId, id: NotificationRuleId): Promise<ReportSchedule[]>;
  /** Replaces the schedules of a rule that the caller has locked. */
  abstract schedule(id: NotificationRuleId, schedules: readonly ReportSchedule[]): Promise<void>;

  /** @throws not_found */
  abstract named(token: string): Promise<NamedRecipient>;
  /** Also clears the address's earlier unsubscription. @returns false if the recipient was already confirmed and subscribed */
  abstract confirm(recipient: NamedRecipient, at: Date): Promise<boolean>;
  /** Unsubscribes the recipient from this rule only. @returns false if the recipient was already unsubscribed */
  abstract unsubscribe(recipient: NamedRecipient, at: Date): Promise<boolean>;
}
