import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import type { NotificationRule, NotificationRuleId } from '../../domain/notification-rule.js';
import type { ReportPeriod } from '../../domain/report-period.js';

export const RULE_COLUMNS =
  'id, organization_id, account_id, kinds, every_minutes, time_zone, float_asset, float_below, created_at';

export interface RuleRow extends Omit<NotificationRule, 'lowFloat'> {
  readonly floatAsset: string | null;
  readonly floatBelow: bigint | null;
}

export function toNotificationRule<Row extends RuleRow>({ floatAsset, floatBelow, ...row }: Row) {
  const lowFloat =
    floatAsset === null || floatBelow === null ? null : { asset: floatAsset, below: floatBelow };
  return { ...row, lowFloat };
}

export interface RuleRecipientView {
  readonly email: string;
  readonly state: 'subscribed' | 'to_confirm' | 'unsubscribed' | 'disabled';
}

export interface NotificationRuleView extends NotificationRule {
  readonly accountName: string;
  readonly lastMailedAt: Date | null;
  readonly recipients: readonly RuleRecipientView[];
}

export interface NotificationReportView {
  readonly period: ReportPeriod;
  readonly startsOn: string;
  readonly recipients: number;
  readonly madeAt: Date;
}

export const RECIPIENT_STATE_SQL = `CASE WHEN p.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
  WHEN EXISTS (SELECT FROM identity.public_collaborators c WHERE c.organization_id = p.organization_id
    AND c.email = p.email AND NOT c.enabled) THEN 'disabled'
  WHEN p.confirmed_at IS NULL THEN 'to_confirm' ELSE 'subscribed' END`;

/** SQL condition: the rule `r` has a subscribed recipient or a chat channel. */
export const HAS_RECEIVER_SQL = `(EXISTS (SELECT FROM notices.recipients p
  WHERE p.rule_id = r.id AND ${RECIPIENT_STATE_SQL} = 'subscribed')
  OR EXISTS (SELECT FROM notices.channels c WHERE c.rule_id = r.id))`;

const SHOWN_RULE_COLUMNS = `(SELECT a.name FROM identity.public_accounts a WHERE a.id = r.account_id) AS account_name, r.last_mailed_at,
  (SELECT COALESCE(json_agg(json_build_object('email', p.email, 'state', ${RECIPIENT_STATE_SQL}) ORDER BY p.created_at, p.id), '[]')
   FROM notices.recipients p WHERE p.rule_id = r.id) AS recipients`;

const MAX_SHOWN_REPORTS = 24;

type ShownRuleRow = RuleRow & Pick<NotificationRuleView, 'accountName' | 'lastMailedAt' | 'recipients'>;

@Injectable()
export class NotificationRuleQueries {
  constructor(private readonly database: Database) {}

  async list(owner: OrganizationId, { page, pageSize }: PageRequest): Promise<Page<NotificationRuleView>> {
    const rows = await this.database.query<PageRow<ShownRuleRow>>(
      `SELECT n.total, r.* FROM (SELECT count(*) AS total FROM notices.rules WHERE organization_id = $1) n
       LEFT JOIN LATERAL (SELECT ${RULE_COLUMNS}, ${SHOWN_RULE_COLUMNS} FROM notices.rules r WHERE organization_id = $1
         ORDER BY id LIMIT $3 OFFSET ($2::bigint - 1) * $3::bigint) r ON true ORDER BY r.id`,
      [owner, page, pageSize],
    );
    const { items, total } = pageFrom(rows);
    return { items: items.map(toNotificationRule), total };
  }

  /** @throws not_found */
  async find(owner: OrganizationId, id: NotificationRuleId): Promise<NotificationRuleView> {
    const [row] = await this.database.query<ShownRuleRow>(
      `SELECT ${RULE_COLUMNS}, ${SHOWN_RULE_COLUMNS} FROM notices.rules r WHERE organization_id = $1 AND id = $2`,
      [owner, id],
    );
    if (row === undefined) throw notFound('notification rule');
    return toNotificationRule(row);
  }

  findReportsOfRule(owner: OrganizationId, id: NotificationRuleId): Promise<NotificationReportView[]> {
    return this.database.query<NotificationReportView>(
      `SELECT p.period, p.starts_on::text AS starts_on, p.recipients, p.made_at
       FROM notices.reports p JOIN notices.rules r ON r.id = p.rule_id WHERE r.organization_id = $1 AND r.id = $2
       ORDER BY p.starts_on DESC, p.period LIMIT ${MAX_SHOWN_REPORTS}`,
      [owner, id],
    );
  }
}
