import { Injectable } from '@nestjs/common';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { NotificationRuleId } from '../../domain/notification-rule.js';
import { HAS_RECEIVER_SQL } from './notification-rule-queries.js';
import { MAILED_ADDRESS_RETENTION_DAYS } from './notification-rules.js';

export interface FailingWebhook {
  readonly ruleId: NotificationRuleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly webhookId: string;
  readonly host: string;
}

export interface LowFloatRule {
  readonly ruleId: NotificationRuleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly asset: string;
  readonly below: bigint;
  readonly wasLow: boolean;
}

export interface FloatFreeBalance {
  readonly organizationId: OrganizationId;
  readonly network: string;
  readonly holding: string;
  readonly free: bigint;
}

export const MAX_ROWS_DELETED_PER_STATEMENT = 500;

const DELETE_EXPIRED_ASKED_ADDRESSES = `
DELETE FROM notices.asked_addresses WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM notices.asked_addresses WHERE asked_at < platform.now() - interval '${MAILED_ADDRESS_RETENTION_DAYS} day'
  ORDER BY asked_at LIMIT $1))`;

const DELETE_RULES_OF_DELETED_ACCOUNTS = `
DELETE FROM notices.rules WHERE id = ANY (ARRAY(
  SELECT r.id FROM notices.rules r JOIN identity.public_accounts a ON a.id = r.account_id
  WHERE a.deleted_at IS NOT NULL LIMIT $1 FOR UPDATE OF r SKIP LOCKED))`;

/** SQL condition: the rule `r` is older than this check and has a subscribed recipient or a chat channel. */
const IS_CHECKED_RULE = `r.created_at <= platform.now() AND ${HAS_RECEIVER_SQL}`;

@Injectable()
export class PostgresNotificationAlerts {
  constructor(private readonly database: Database) {}

  /** Marks them as reported, and removes the mark from recovered webhooks. */
  async takeFailingWebhooks(): Promise<FailingWebhook[]> {
    await this.database.queryInTransaction(
      `DELETE FROM notices.reported_webhooks r
       WHERE NOT EXISTS (SELECT FROM webhooks.public_failing_webhooks w WHERE w.id = r.webhook_id)`,
    );
    return this.database.queryInTransaction<FailingWebhook>(
      `WITH reported AS (
         INSERT INTO notices.reported_webhooks (rule_id, webhook_id)
         SELECT r.id, w.id FROM webhooks.public_failing_webhooks w
         JOIN notices.rules r ON r.account_id = w.account_id AND r.organization_id = w.organization_id
         WHERE 'failing_webhook' = ANY (r.kinds) AND ${IS_CHECKED_RULE} ON CONFLICT DO NOTHING RETURNING rule_id, webhook_id)
       SELECT reported.rule_id, reported.webhook_id, w.organization_id, w.account_id, w.host
       FROM reported JOIN webhooks.public_failing_webhooks w ON w.id = reported.webhook_id`,
    );
  }

  /** Locks the rules in the order of ids. */
  lowFloatRules(): Promise<LowFloatRule[]> {
    return this.database.queryInTransaction<LowFloatRule>(
      `SELECT id AS rule_id, organization_id, account_id, float_asset AS asset, float_below AS below, float_is_low AS was_low
       FROM notices.rules r WHERE float_asset IS NOT NULL AND ${IS_CHECKED_RULE} ORDER BY id FOR NO KEY UPDATE`,
    );
  }

  freeFloatBalances(organizations: readonly OrganizationId[]): Promise<FloatFreeBalance[]> {
    return this.database.query<FloatFreeBalance>(
      `SELECT organization_id, network, holding, free FROM settlement.public_free_floats
       WHERE organization_id = ANY ($1::uuid[])`,
      [organizations],
    );
  }

  async markFloatsLow(ids: readonly NotificationRuleId[], isLow: boolean): Promise<void> {
    if (ids.length > 0)
      await this.database.queryInTransaction(
        'UPDATE notices.rules SET float_is_low = $2 WHERE id = ANY ($1::uuid[])',
        [ids, isLow],
      );
  }

  async deleteExpiredRows(): Promise<void> {
    for (const step of [DELETE_EXPIRED_ASKED_ADDRESSES, DELETE_RULES_OF_DELETED_ACCOUNTS])
      await this.database.queryInTransaction(step, [MAX_ROWS_DELETED_PER_STATEMENT]);
  }
}
