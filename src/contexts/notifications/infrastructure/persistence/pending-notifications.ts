import { Injectable } from '@nestjs/common';
import type { AccountId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { toJson } from '#shared/platform/database/rows.js';
import {
  MAX_EXAMPLES_PER_GROUP,
  type NotificationGroup,
  type RuleToNotify,
} from '../../domain/notification.js';
import type { NotificationRule, NotificationRuleId } from '../../domain/notification-rule.js';
import { RECIPIENT_STATE_SQL } from './notification-rule-queries.js';

export type Addressee = { readonly email: string; readonly token: string };

export interface DueRule extends Pick<NotificationRule, 'organizationId' | 'timeZone'> {
  readonly ruleId: NotificationRuleId;
  readonly accountName: string;
  readonly organizationName: string;
  readonly mailedWithinHour: boolean;
  readonly addressees: readonly Addressee[];
  readonly hasChannels: boolean;
}

const LOCK_DUE_RULE = `
SELECT r.id AS rule_id, r.organization_id, r.time_zone, a.name AS account_name, a.organization_name,
  COALESCE(r.last_mailed_at > platform.now() - interval '1 hour', false) AS mailed_within_hour,
  EXISTS (SELECT FROM notices.channels c WHERE c.rule_id = r.id) AS has_channels
FROM notices.rules r JOIN identity.public_accounts a ON a.id = r.account_id
WHERE r.id = $1 AND r.due_at <= platform.now() FOR UPDATE OF r SKIP LOCKED`;

export const SELECT_DUE_RULES_SQL = `SELECT id FROM ${selectDueIdsRoundRobin({
  table: 'notices.rules',
  waits: 't.due_at IS NOT NULL',
  isDue: 't.due_at <= platform.now()',
  oldestFirst: 't.due_at',
  limit: '$1',
})} taken ORDER BY turn`;

@Injectable()
export class PendingNotifications {
  constructor(private readonly database: Database) {}

  /** Locks the rules in the order of ids. */
  lockRulesOfAccounts(accounts: readonly AccountId[]): Promise<RuleToNotify[]> {
    return this.database.queryInTransaction<RuleToNotify>(
      `SELECT id, organization_id, account_id, kinds, created_at FROM notices.rules
       WHERE account_id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [accounts],
    );
  }

  /** The caller must hold the locks of the rules. */
  async add(groups: readonly NotificationGroup[]): Promise<void> {
    if (groups.length === 0) return;
    await this.database.queryInTransaction(
      `INSERT INTO notices.pending AS p
         (rule_id, kind, state, unique_asset_id, currency, network, decimals, events, amount, examples)
       SELECT "ruleId", kind, state, "uniqueAssetId", currency, network, decimals, events, amount, examples
       FROM jsonb_to_recordset($1::jsonb) AS g ("ruleId" uuid, kind text, state text, "uniqueAssetId" text, currency text,
         network text, decimals smallint, events bigint, amount numeric, examples jsonb)
       ON CONFLICT (rule_id, kind, state, unique_asset_id) DO UPDATE SET
         events = p.events + excluded.events, amount = p.amount + excluded.amount,
         examples = jsonb_path_query_array(p.examples || excluded.examples, '$[0 to ${MAX_EXAMPLES_PER_GROUP - 1}]')`,
      [toJson(groups)],
    );
    await this.database.queryInTransaction(
      `UPDATE notices.rules SET due_at = GREATEST(platform.now(), last_mailed_at + make_interval(mins => every_minutes))
       WHERE id = ANY ($1::uuid[]) AND due_at IS NULL`,
      [[...new Set(groups.map(({ ruleId }) => ruleId))]],
    );
  }

  async findDueRules(limit: number): Promise<NotificationRuleId[]> {
    const rows = await this.database.query<{ id: NotificationRuleId }>(SELECT_DUE_RULES_SQL, [limit]);
    return rows.map(({ id }) => id);
  }

  /** @returns null if the rule is no longer due, or another process has locked it */
  async lockDueRule(id: NotificationRuleId): Promise<DueRule | null> {
    const [rule] = await this.database.queryInTransaction<Omit<DueRule, 'addressees'>>(LOCK_DUE_RULE, [id]);
    return rule === undefined ? null : { ...rule, addressees: await this.addressees(rule.ruleId) };
  }

  async takeGroups(id: NotificationRuleId): Promise<NotificationGroup[]> {
    await this.database.queryInTransaction(
      'UPDATE notices.rules SET due_at = NULL, last_mailed_at = platform.now() WHERE id = $1',
      [id],
    );
    return this.database.queryInTransaction<NotificationGroup>(
      `DELETE FROM notices.pending WHERE rule_id = $1
       RETURNING rule_id, kind, state, unique_asset_id, currency, network, decimals, events, amount, examples`,
      [id],
    );
  }

  /** Marks its webhooks and floats as not reported, so that later subscribers are notified of them. */
  async discardGroups(id: NotificationRuleId): Promise<void> {
    await this.database.queryInTransaction(
      `WITH groups AS (DELETE FROM notices.pending WHERE rule_id = $1),
         webhooks AS (DELETE FROM notices.reported_webhooks WHERE rule_id = $1)
       UPDATE notices.rules SET due_at = NULL, float_is_low = false WHERE id = $1`,
      [id],
    );
  }

  /** Other rules are processed while the emails cannot be queued. */
  async delayRule(id: NotificationRuleId, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE notices.rules SET due_at = platform.now() + make_interval(secs => $2) WHERE id = $1 AND due_at IS NOT NULL`,
      [id, seconds],
    );
  }

  addressees(id: NotificationRuleId): Promise<Addressee[]> {
    return this.database.query<Addressee>(
      `SELECT p.email, p.token FROM notices.recipients p
       WHERE p.rule_id = $1 AND ${RECIPIENT_STATE_SQL} = 'subscribed' ORDER BY p.created_at, p.id`,
      [id],
    );
  }

  outcomes(ids: readonly string[]): Promise<{ id: string; status: string; underpaymentAccepted: boolean }[]> {
    return this.database.query(
      'SELECT id, status, underpayment_accepted FROM payments.public_outcomes WHERE id = ANY ($1::uuid[])',
      [ids],
    );
  }
}
