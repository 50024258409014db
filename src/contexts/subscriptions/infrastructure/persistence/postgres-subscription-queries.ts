import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import { pageFrom, type PageRow } from '#shared/platform/database/page-rows.js';
import {
  SubscriptionQueries,
  type ChargeView,
  type SubscriptionFilter,
} from '../../application/subscription-queries.js';
import type { SubscriptionState } from '../../domain/subscription-state.js';
import { SUBSCRIPTION_COLUMNS, subscriptionFromRow, type SubscriptionRow } from './subscription-row.js';

type ChargeRow = RowOf<ChargeView>;

@Injectable()
export class PostgresSubscriptionQueries extends SubscriptionQueries {
  constructor(private readonly database: Database) {
    super();
  }

  async page(
    { organizationId, accountId }: Scope,
    pointOfSale: PointOfSaleId,
    { status }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionState>> {
    const rows = await this.database.query<PageRow<SubscriptionRow>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s
         WHERE s.point_of_sale_id = $1 AND s.organization_id = $2 AND ($3::uuid IS NULL OR s.account_id = $3)
           AND ($4::text IS NULL OR s.status = $4)
       )
       SELECT all_of_them.total, v.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible ORDER BY id DESC LIMIT $5 OFFSET $6) v ON true
       ORDER BY v.id DESC`,
      [pointOfSale, organizationId, accountId, status ?? null, page.pageSize, offsetOf(page)],
    );
    const { items, total } = pageFrom(rows);
    return { items: items.map(subscriptionFromRow), total };
  }

  async pageOfAll(
    { organizationId, accountId }: Scope,
    { status }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionState>> {
    const rows = await this.database.query<PageRow<SubscriptionRow>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s
         WHERE s.organization_id = $1 AND ($2::uuid IS NULL OR s.account_id = $2) AND ($3::text IS NULL OR s.status = $3)
       )
       SELECT all_of_them.total, v.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible ORDER BY id DESC LIMIT $4 OFFSET $5) v ON true
       ORDER BY v.id DESC`,
      [organizationId, accountId, status ?? null, page.pageSize, offsetOf(page)],
    );
    const { items, total } = pageFrom(rows);
    return { items: items.map(subscriptionFromRow), total };
  }

  find(
    { organizationId, accountId }: Scope,
    id: SubscriptionId,
    pointOfSale?: PointOfSaleId,
  ): Promise<SubscriptionState> {
    return this.one(
      `s.id = $1 AND s.organization_id = $2 AND ($3::uuid IS NULL OR s.account_id = $3)
         AND ($4::uuid IS NULL OR s.point_of_sale_id = $4)`,
      [id, organizationId, accountId, pointOfSale ?? null],
    );
  }

  findByCode(code: string): Promise<SubscriptionState> {
    return this.one('s.code = $1', [code]);
  }

  async charges(id: SubscriptionId, page: PageRequest): Promise<Page<ChargeView>> {
    const rows = await this.database.query<PageRow<ChargeRow>>(
      `SELECT all_of_them.total, c.*
       FROM (SELECT count(*)::int AS total FROM subscriptions.charges WHERE subscription_id = $1) all_of_them
       LEFT JOIN (
         SELECT id, number, due_at, closes_at, status, missed_at, paid_at,
           (SELECT jsonb_strip_nulls(jsonb_build_object('id', r.payment_request_id, 'status', r.status,
              'refused', CASE WHEN r.status = 'planned' THEN r.refused END))
            FROM subscriptions.charge_requests r WHERE r.charge_id = charges.id AND r.status <> 'dropped'
            ORDER BY r.payment_request_id DESC LIMIT 1) AS request
         FROM subscriptions.charges WHERE subscription_id = $1 ORDER BY number DESC LIMIT $2 OFFSET $3) c ON true
       ORDER BY c.number DESC`,
      [id, page.pageSize, offsetOf(page)],
    );
    const { items, total } = pageFrom(rows);
    return { items: items.map((row) => withoutNulls<ChargeView>(row)), total };
  }

  private async one(where: string, values: unknown[]): Promise<SubscriptionState> {
    const [row] = await this.database.query<SubscriptionRow>(
      `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s WHERE ${where}`,
      values,
    );
    if (row === undefined) throw notFound('subscription');
    return subscriptionFromRow(row);
  }
}

/** A page far beyond the end is past the numbers that are exact in a double. */
function offsetOf({ page, pageSize }: PageRequest): string {
  return (BigInt(page - 1) * BigInt(pageSize)).toString();
}
