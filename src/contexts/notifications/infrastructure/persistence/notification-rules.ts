import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  MAX_RULES_PER_ACCOUNT,
  type NotificationRule,
  type NotificationRuleId,
  type NotificationRuleTerms,
  type RuleRecipient,
  type RecipientAddressState,
  type ReportSchedule,
  type RecipientWithRule,
} from '../../domain/notification-rule.js';
import { RULE_COLUMNS, toNotificationRule, type RuleRow } from './notification-rule-queries.js';

/** Rows of `notices.asked_addresses`, which an earlier release wrote. */
export const MAILED_ADDRESS_RETENTION_DAYS = 1;

/** Length of a recipient's token: the prefix of the cell and 256 bits in base64url. */
const TOKEN_LENGTH = 44;
const RECIPIENT_COLUMNS = 'id, email, token, confirmed_at, unsubscribed_at';
const hashAddress = (email: string) => `sha256(convert_to(${email}, 'UTF8'))`;

@Injectable()
export class NotificationRules {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
  ) {}

  /** @returns false at the maximum number of rules @throws not_found if the account is deleted */
  async add({ id, organizationId, accountId, createdAt, ...terms }: NotificationRule): Promise<boolean> {
    // Concurrent creations could exceed the maximum, because they do not see each other.
    await this.database.queryInTransaction(
      `SELECT pg_advisory_xact_lock(hashtextextended('notification rules ' || $1, 0))`,
      [accountId],
    );
    const [account] = await this.database.queryInTransaction<{ held: boolean }>(
      'SELECT identity.public_hold_account($1, $2) AS held',
      [organizationId, accountId],
    );
    if (account?.held !== true) throw notFound('account');
    const added = await this.database.queryInTransaction(
      `INSERT INTO notices.rules (id, organization_id, account_id, kinds, every_minutes, time_zone, float_asset, float_below,
         created_at, updated_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9
       WHERE (SELECT count(*) FROM notices.rules WHERE account_id = $3) < ${MAX_RULES_PER_ACCOUNT} RETURNING 1`,
      [id, organizationId, accountId, ...termParameters(terms), createdAt],
    );
    return added.length > 0;
  }

  /** @throws not_found */
  async lockRule(owner: OrganizationId, id: NotificationRuleId): Promise<NotificationRule> {
    const [row] = await this.database.queryInTransaction<RuleRow>(
      `SELECT ${RULE_COLUMNS} FROM notices.rules WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
      [owner, id],
    );
    if (row === undefined) throw notFound('notification rule');
    return toNotificationRule(row);
  }

  async save({ id, ...terms }: NotificationRule, at: Date): Promise<void> {
    // A changed limit for a float resets `float_is_low`. A changed interval also applies to pending events.
    await this.database.queryInTransaction(
      `UPDATE notices.rules SET kinds = $2, every_minutes = $3, time_zone = $4, float_asset = $5, float_below = $6,
         float_is_low = float_is_low AND (float_asset, float_below) IS NOT DISTINCT FROM ($5, $6::numeric), updated_at = $7,
         due_at = CASE WHEN due_at IS NOT NULL
           THEN GREATEST(platform.now(), last_mailed_at + make_interval(mins => $3)) END
       WHERE id = $1`,
      [id, ...termParameters(terms), at],
    );
  }

  async delete(owner: OrganizationId, id: NotificationRuleId): Promise<void> {
    await this.database.queryInTransaction(
      'DELETE FROM notices.rules WHERE organization_id = $1 AND id = $2',
      [owner, id],
    );
  }

  recipients(owner: OrganizationId, id: NotificationRuleId): Promise<RuleRecipient[]> {
    return this.database.query<RuleRecipient>(
      `SELECT ${RECIPIENT_COLUMNS} FROM notices.recipients WHERE organization_id = $1 AND rule_id = $2
       ORDER BY created_at, id`,
      [owner, id],
    );
  }

  async addRecipient(
    rule: NotificationRule,
    { id, email, token, confirmedAt }: RuleRecipient,
    at: Date,
  ): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO notices.recipients (id, rule_id, organization_id, email, token, confirmed_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, rule.id, rule.organizationId, email, token, confirmedAt, at],
    );
  }

  async removeRecipients(owner: OrganizationId, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.database.queryInTransaction(
        'DELETE FROM notices.recipients WHERE organization_id = $1 AND id = ANY ($2::uuid[])',
        [owner, ids],
      );
  }

  recipientAddressStates(owner: OrganizationId, emails: readonly string[]): Promise<RecipientAddressState[]> {
    return this.database.query<RecipientAddressState>(
      `SELECT e.email,
         EXISTS (SELECT FROM identity.public_collaborators c
           WHERE c.organization_id = $1 AND c.email = e.email AND c.enabled) AS is_collaborator,
         EXISTS (SELECT FROM notices.unsubscribed_addresses u
           WHERE u.organization_id = $1 AND u.address_digest = ${hashAddress('e.email')}) AS has_unsubscribed
       FROM unnest($2::text[]) WITH ORDINALITY AS e (email, n) ORDER BY e.n`,
      [owner, emails],
    );
  }

  async recordConfirmationMail(recipientId: string, at: Date): Promise<void> {
    await this.database.queryInTransaction('UPDATE notices.recipients SET asked_at = $2 WHERE id = $1', [
      recipientId,
      at,
    ]);
  }

  reportSchedules(owner: OrganizationId, id: NotificationRuleId): Promise<ReportSchedule[]> {
    return this.database.query<ReportSchedule>(
      `SELECT s.period, s.starts_on::text AS starts_on, s.due_at FROM notices.report_schedules s
       JOIN notices.rules r ON r.id = s.rule_id WHERE r.organization_id = $1 AND r.id = $2`,
      [owner, id],
    );
  }

  async saveReportSchedules(id: NotificationRuleId, schedules: readonly ReportSchedule[]): Promise<void> {
    await this.database.queryInTransaction(
      'DELETE FROM notices.report_schedules WHERE rule_id = $1 AND period <> ALL ($2::text[])',
      [id, schedules.map(({ period }) => period)],
    );
    for (const { period, startsOn, dueAt } of schedules)
      await this.database.queryInTransaction(
        `INSERT INTO notices.report_schedules (rule_id, period, starts_on, due_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (rule_id, period) DO UPDATE SET starts_on = excluded.starts_on, due_at = excluded.due_at`,
        [id, period, startsOn, dueAt],
      );
  }

  async findRecipientByToken(token: string): Promise<RecipientWithRule> {
    if (this.cell.isCodeOfOtherCell(token, TOKEN_LENGTH)) throw notFound('mail');
    const [row] = await this.database.query<RecipientWithRule>(
      `SELECT r.id, r.email, r.token, r.confirmed_at, r.unsubscribed_at, r.asked_at, r.organization_id, r.rule_id, n.kinds,
         a.organization_name
       FROM notices.recipients r JOIN notices.rules n ON n.id = r.rule_id
       JOIN identity.public_accounts a ON a.id = n.account_id WHERE r.token = $1`,
      [token],
    );
    if (row === undefined) throw notFound('mail');
    return row;
  }

  /** Clears an earlier unsubscription. @returns false if already confirmed and subscribed */
  async confirmRecipient({ id, organizationId, email }: RecipientWithRule, at: Date): Promise<boolean> {
    await this.database.queryInTransaction(
      `DELETE FROM notices.unsubscribed_addresses WHERE organization_id = $1 AND address_digest = ${hashAddress('$2')}`,
      [organizationId, email],
    );
    const changed = await this.database.queryInTransaction(
      `UPDATE notices.recipients SET confirmed_at = $2, unsubscribed_at = NULL
       WHERE id = $1 AND (confirmed_at IS NULL OR unsubscribed_at IS NOT NULL) RETURNING 1`,
      [id, at],
    );
    return changed.length > 0;
  }

  /** Applies to this rule only. @returns false if already unsubscribed */
  async unsubscribeRecipient({ id, organizationId, email }: RecipientWithRule, at: Date): Promise<boolean> {
    const changed = await this.database.queryInTransaction(
      'UPDATE notices.recipients SET unsubscribed_at = $2 WHERE id = $1 AND unsubscribed_at IS NULL RETURNING 1',
      [id, at],
    );
    if (changed.length > 0)
      await this.database.queryInTransaction(
        `INSERT INTO notices.unsubscribed_addresses (organization_id, address_digest, at)
         VALUES ($1, ${hashAddress('$2')}, $3)
         ON CONFLICT DO NOTHING`,
        [organizationId, email, at],
      );
    return changed.length > 0;
  }
}

function termParameters({ kinds, everyMinutes, timeZone, lowFloat }: NotificationRuleTerms) {
  return [kinds, everyMinutes, timeZone, lowFloat?.asset ?? null, lowFloat?.below.toString() ?? null];
}
