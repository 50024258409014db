import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder, NEWEST_FIRST } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import { ChargeRequests, type ChargeRequestView } from '#contexts/payments/contract/charge-requests.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { normalizePageCode } from '../../application/payer-page.js';
import type { SubscriptionStatus } from '../../contract/subscription-events.js';
import type { ChargeRequestStatus, ChargeSnapshot } from '../../domain/charge.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import { SUBSCRIPTION_COLUMNS, subscriptionFromRow, type SubscriptionRow } from './subscription-rows.js';

const CHARGES_ORDER = new ListOrder('DESC', [{ column: 'number', kind: 'number' }]);

export const CHARGES_PER_PAGE = 12;

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
}

export interface ChargeView extends Pick<
  ChargeSnapshot,
  'id' | 'number' | 'dueAt' | 'closesAt' | 'status' | 'missedAt' | 'paidAt'
> {
  readonly request?: {
    readonly id: PaymentRequestId;
    readonly status: ChargeRequestStatus;
    readonly refused?: string;
  };
}

export interface ChargeWithRequest {
  readonly charge: ChargeView;
  readonly request?: ChargeRequestView | undefined;
}

export interface ChargesWithRequestsPage extends Page<ChargeWithRequest> {
  readonly subscription: SubscriptionSnapshot;
}

export interface PayerSubscription {
  readonly subscription: SubscriptionSnapshot;
  readonly charges: Page<ChargeView>;
  /** Present even if the charge is not on the requested page. */
  readonly latest?: ChargeView | undefined;
  readonly now: Date;
}

@Injectable()
export class SubscriptionQueries {
  constructor(
    private readonly database: Database,
    private readonly pointsOfSale: PointsOfSale,
    private readonly chargeRequests: ChargeRequests,
    private readonly clock: Clock,
    private readonly cell: DeploymentCell,
  ) {}

  async page(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    { status }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionSnapshot>> {
    await this.pointsOfSale.find(scope, pointOfSale);
    return this.pageWhere(
      `s.point_of_sale_id = $4 AND s.organization_id = $5 AND ($6::uuid IS NULL OR s.account_id = $6)
         AND ($7::text IS NULL OR s.status = $7)`,
      [pointOfSale, scope.organizationId, scope.accountId, status ?? null],
      page,
    );
  }

  pageOfScope(
    { organizationId, accountId }: TenantScope,
    { status }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionSnapshot>> {
    return this.pageWhere(
      `s.organization_id = $4 AND ($5::uuid IS NULL OR s.account_id = $5) AND ($6::text IS NULL OR s.status = $6)`,
      [organizationId, accountId, status ?? null],
      page,
    );
  }

  find(
    { organizationId, accountId }: TenantScope,
    id: SubscriptionId,
    pointOfSale?: PointOfSaleId,
  ): Promise<SubscriptionSnapshot> {
    return this.findOne(
      `s.id = $1 AND s.organization_id = $2 AND ($3::uuid IS NULL OR s.account_id = $3)
         AND ($4::uuid IS NULL OR s.point_of_sale_id = $4)`,
      [id, organizationId, accountId, pointOfSale ?? null],
    );
  }

  /** The caller must have checked access to the subscription. */
  async charges(id: SubscriptionId, page: PageRequest): Promise<Page<ChargeView>> {
    const rows = await this.database.query<PageRow<RowOf<ChargeView>>>(
      `SELECT all_of_them.total, c.*
       FROM (SELECT count(*)::int AS total FROM subscriptions.charges WHERE subscription_id = $1) all_of_them
       LEFT JOIN (
         SELECT id, number, due_at, closes_at, status, missed_at, paid_at,
           (SELECT jsonb_strip_nulls(jsonb_build_object('id', r.payment_request_id, 'status', r.status,
              'refused', CASE WHEN r.status = 'planned' THEN r.refused END))
            FROM subscriptions.charge_requests r WHERE r.charge_id = charges.id AND r.status <> 'dropped'
            ORDER BY r.status IN ('paid', 'accepted') DESC, r.payment_request_id DESC LIMIT 1) AS request
         FROM subscriptions.charges WHERE subscription_id = $1 AND ${CHARGES_ORDER.pagingSql(2)}) c ON true
       ORDER BY c.number DESC`,
      [id, ...CHARGES_ORDER.parameters(page)],
    );
    return CHARGES_ORDER.page(rows, page, (row) => withoutNulls<ChargeView>(row));
  }

  async findChargesWithRequests(
    scope: TenantScope,
    id: SubscriptionId,
    page: PageRequest,
  ): Promise<ChargesWithRequestsPage> {
    const subscription = await this.find(scope, id);
    const charges = await this.charges(id, page);
    const ids = charges.items.flatMap(({ request }) => request?.id ?? []);
    const found = await this.chargeRequests.find(subscription.organizationId, ids);
    const requests = new Map(found.map((request) => [request.id, request]));
    return {
      ...charges,
      subscription,
      items: charges.items.map((charge) => ({
        charge,
        request: charge.request && requests.get(charge.request.id),
      })),
    };
  }

  /** @param code unvalidated page code @throws not_found, the same for every code without a page */
  async findByPageCode(code: string, page = 1): Promise<PayerSubscription> {
    if (this.cell.isCodeOfOtherCell(code)) throw notFound('subscription');
    const subscription = await this.findOne('s.code = $1', [normalizePageCode(code)]);
    const charges = await this.chargesShown(subscription, page);
    const [latest] = page === 1 ? charges.items : (await this.chargesShown(subscription, 1)).items;
    return { subscription, charges, latest, now: await this.clock.now() };
  }

  private chargesShown({ id }: SubscriptionSnapshot, page: number): Promise<Page<ChargeView>> {
    return this.charges(id, { page, pageSize: CHARGES_PER_PAGE });
  }

  /** @param where condition on `s`, whose parameters start at $4 */
  private async pageWhere(
    where: string,
    values: unknown[],
    page: PageRequest,
  ): Promise<Page<SubscriptionSnapshot>> {
    const rows = await this.database.queryReplica<PageRow<SubscriptionRow>>(
      `WITH visible AS NOT MATERIALIZED (
         SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s WHERE ${where}
       )
       SELECT all_of_them.total, v.*
       FROM (SELECT count(*)::int AS total FROM visible) all_of_them
       LEFT JOIN (SELECT * FROM visible WHERE ${NEWEST_FIRST.pagingSql(1)}) v ON true
       ORDER BY v.id DESC`,
      [...NEWEST_FIRST.parameters(page), ...values],
    );
    return NEWEST_FIRST.page(rows, page, subscriptionFromRow);
  }

  private async findOne(where: string, values: unknown[]): Promise<SubscriptionSnapshot> {
    const [row] = await this.database.query<SubscriptionRow>(
      `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions.subscriptions s WHERE ${where}`,
      values,
    );
    if (row === undefined) throw notFound('subscription');
    return subscriptionFromRow(row);
  }
}
