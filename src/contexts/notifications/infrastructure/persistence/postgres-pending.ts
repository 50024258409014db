import { Injectable } from '@nestjs/common';
import type { AccountId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { dueIdsInTurns } from '#shared/platform/database/in-turns.sql.js';
import { jsonOf } from '#shared/platform/database/rows.js';
import { MAX_EXAMPLES, type Group, type RuleToNotify } from '../../domain/notification.js';
import type { NotificationRule, NotificationRuleId } from '../../domain/notification-rule.js';
import { RECIPIENT_STATE } from './notification-rule-queries.js';

/** A recipient that takes mails now. */
export type Addressee = { readonly email: string; readonly token: string };

/** A rule with something to mail, locked. */
export interface DueRule extends Pick<NotificationRule, 'organizationId' | 'timeZone'> {
  readonly ruleId: NotificationRuleId;
  readonly accountName: string;
  readonly organizationName: string;
  readonly mailedWithinHour: boolean;
  readonly addressees: readonly Addressee[];
}

const LOCK_DUE = `
SELECT r.id AS rule_id, r.organization_id, r.time_zone, a.name AS account_name, a.organization_name,
  COALESCE(r.last_mailed_at > platform.now() - interval '1 hour', false) AS mailed_within_hour
FROM notices.rules r JOIN identity.public_accounts a ON a.id = r.account_id
WHERE r.id = $1 AND r.due_at <= platform.now() FOR UPDATE OF r SKIP LOCKED`;

export const DUE_RULES = `SELECT id FROM ${dueIdsInTurns({
  table: 'notices.rules',
  waits: 't.due_at IS NOT NULL',
  isDue: 't.due_at <= platform.now()',
  oldestFirst: 't.due_at',
  limit: '$1',
})} taken ORDER BY turn`;

/** Groups of events that wait to be mailed. Writes refuse to run outside a unit of work. */
@Injectable()
export class PostgresPending {
  constructor(private readonly database: Database) {}

  /** Rules of these accounts, row-locked in the order of their ids until the unit of work ends. */
  rulesOf(accounts: readonly AccountId[]): Promise<RuleToNotify[]> {
    return this.database.write<RuleToNotify>(
      `SELECT id, organization_id, account_id, kinds, created_at FROM notices.rules
       WHERE account_id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [accounts],
    );
  }

  /** Adds groups to what waits, and has the rules mailed as soon as their pause has passed. The caller holds the rules' locks. */
  async add(groups: readonly Group[]): Promise<void> {
    if (groups.length === 0) return;
    await this.database.write(
      `INSERT INTO notices.pending AS p
         (rule_id, kind, state, unique_asset_id, currency, network, decimals, events, amount, examples)
       SELECT "ruleId", kind, state, "uniqueAssetId", currency, network, decimals, events, amount, examples
       FROM jsonb_to_recordset($1::jsonb) AS g ("ruleId" uuid, kind text, state text, "uniqueAssetId" text, currency text,
         network text, decimals smallint, events bigint, amount numeric, examples jsonb)
       ON CONFLICT (rule_id, kind, state, unique_asset_id) DO UPDATE SET
         events = p.events + excluded.events, amount = p.amount + excluded.amount,
         examples = jsonb_path_query_array(p.examples || excluded.examples, '$[0 to ${MAX_EXAMPLES - 1}]')`,
      [jsonOf(groups)],
    );
    await this.database.write(
      `UPDATE notices.rules SET due_at = GREATEST(platform.now(), last_mailed_at + make_interval(mins => every_minutes))
       WHERE id = ANY ($1::uuid[]) AND due_at IS NULL`,
      [[...new Set(groups.map(({ ruleId }) => ruleId))]],
    );
  }

  /** Rules that are due, at most so many: the organizations take turns. */
  async due(limit: number): Promise<NotificationRuleId[]> {
    const rows = await this.database.query<{ id: NotificationRuleId }>(DUE_RULES, [limit]);
    return rows.map(({ id }) => id);
  }

  /** Row-locks a rule. @returns null if it is no longer due, or another process has locked it */
  async lockDue(id: NotificationRuleId): Promise<DueRule | null> {
    const [rule] = await this.database.write<Omit<DueRule, 'addressees'>>(LOCK_DUE, [id]);
    return rule === undefined ? null : { ...rule, addressees: await this.addressees(rule.ruleId) };
  }

  /** Takes what waits for a locked rule, which has been mailed with it. */
  async take(id: NotificationRuleId): Promise<Group[]> {
    await this.database.write(
      'UPDATE notices.rules SET due_at = NULL, last_mailed_at = platform.now() WHERE id = $1',
      [id],
    );
    return this.database.write<Group>(
      `DELETE FROM notices.pending WHERE rule_id = $1
       RETURNING rule_id, kind, state, unique_asset_id, currency, network, decimals, events, amount, examples`,
      [id],
    );
  }

  /** Drops what waits for a locked rule. Webhooks and floats count as not reported: who subscribes later hears of them. */
  async drop(id: NotificationRuleId): Promise<void> {
    await this.database.write(
      `WITH groups AS (DELETE FROM notices.pending WHERE rule_id = $1),
         webhooks AS (DELETE FROM notices.reported_webhooks WHERE rule_id = $1)
       UPDATE notices.rules SET due_at = NULL, float_is_low = false WHERE id = $1`,
      [id],
    );
  }

  /** Leaves a rule alone for so long, so that others are mailed. */
  async putOff(id: NotificationRuleId, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE notices.rules SET due_at = platform.now() + make_interval(secs => $2) WHERE id = $1 AND due_at IS NOT NULL`,
      [id, seconds],
    );
  }

  /** The recipients that take mails of the rule now. */
  addressees(id: NotificationRuleId): Promise<Addressee[]> {
    return this.database.query<Addressee>(
      `SELECT p.email, p.token FROM notices.recipients p
       WHERE p.rule_id = $1 AND ${RECIPIENT_STATE} = 'subscribed' ORDER BY p.created_at, p.id`,
      [id],
    );
  }

  /** The outcomes of payment requests as payments publishes them. */
  outcomes(ids: readonly string[]): Promise<{ id: string; status: string; underpaymentAccepted: boolean }[]> {
    return this.database.query(
      'SELECT id, status, underpayment_accepted FROM payments.public_outcomes WHERE id = ANY ($1::uuid[])',
      [ids],
    );
  }
}
