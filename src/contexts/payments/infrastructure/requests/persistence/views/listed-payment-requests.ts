import { Injectable } from '@nestjs/common';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import type {
  ListedCheckout,
  ListedPaymentRequest,
  PaymentRequestFilter,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { TRANSITIONS } from '#contexts/payments/domain/requests/status.js';
import { IS_FULFILLED } from '../status-and-deadline.sql.js';
import { REQUESTED_ASSET, readAsked, type AskedJson } from './checkout-view-row.js';

type Columns = Omit<ListedPaymentRequest, 'asked' | 'checkout'>;

type Row = RowOf<Columns> & {
  asked: AskedJson | null;
  checkout: RowOf<ListedCheckout> | null;
};

const STATUSES = Object.keys(TRANSITIONS) as PaymentRequestStatus[];

const IS_IN_PERIOD = `point_of_sale_id = points.id AND created_at >= COALESCE($5::timestamptz, '-infinity')
  AND created_at < COALESCE($6::timestamptz, 'infinity')`;
const ORDER = new ListOrder('DESC', [
  { column: 'created_at', kind: 'time' },
  { column: 'id', kind: 'id' },
]);
const IS_AFTER_CURSOR = ORDER.afterCursorSql(7);
const ORDER_BY = `ORDER BY ${ORDER.orderBySql()}`;

/**
 * Each status of each point of sale is a range of the index `payment_requests_of_point_of_sale`. The page reads only
 * its own rows; counting reads no rows.
 */
const RANGES_BY_STATUS = 'points, unnest($4::text[]) AS chosen (status) CROSS JOIN LATERAL';
const WITH_ANY_REFERENCE = {
  total: `SELECT coalesce(sum(run.length), 0)::int FROM ${RANGES_BY_STATUS} (
      SELECT count(*) AS length FROM payments.payment_requests WHERE ${IS_IN_PERIOD} AND status = chosen.status) run`,
  ids: `SELECT run.id, run.created_at FROM ${RANGES_BY_STATUS} (
      SELECT id, created_at FROM payments.payment_requests
      WHERE ${IS_IN_PERIOD} AND status = chosen.status AND ${IS_AFTER_CURSOR} ${ORDER_BY} LIMIT $9::bigint + $10::bigint) run`,
};

/** Beyond this count, only the existence of a next page is known. */
export const MAX_COUNTED_REQUESTS = 10_000;
const OF_ALL_POINTS_OF_SALE = {
  total: `SELECT count(*)::int FROM (SELECT FROM ${RANGES_BY_STATUS} (
      SELECT FROM payments.payment_requests WHERE ${IS_IN_PERIOD} AND status = chosen.status) run
    LIMIT GREATEST(${MAX_COUNTED_REQUESTS}, $9::bigint + $10::bigint)) counted`,
  ids: WITH_ANY_REFERENCE.ids,
};

/** Few requests share a reference, so all its index entries are read. */
const WITH_REFERENCE = {
  total: `SELECT coalesce(sum(run.length), 0)::int FROM points CROSS JOIN LATERAL (
    SELECT count(*) AS length FROM payments.payment_requests
    WHERE ${IS_IN_PERIOD} AND status = ANY($4::text[]) AND reference_id = $11) run`,
  ids: `SELECT run.id, run.created_at FROM points CROSS JOIN LATERAL (
    SELECT id, created_at FROM payments.payment_requests
    WHERE ${IS_IN_PERIOD} AND status = ANY($4::text[]) AND reference_id = $11 AND ${IS_AFTER_CURSOR}) run`,
};

const IS_ONE_POINT_OF_SALE = 'p.id = $1';
const IS_ANY_POINT_OF_SALE = '$1::uuid IS NULL';

/**
 * $1 point of sale, $2 organization, $3 account or null, $4 statuses, $5 from, $6 before, from $7 on
 * `ORDER.parameters`.
 */
const pageSql = (
  which: typeof IS_ONE_POINT_OF_SALE | typeof IS_ANY_POINT_OF_SALE,
  { total, ids }: { total: string; ids: string },
) => `
WITH points AS MATERIALIZED (
  SELECT p.id FROM point_of_sale.public_point_of_sale_versions p
  WHERE ${which} AND p.organization_id = $2 AND ($3::uuid IS NULL OR p.account_id = $3)
)
SELECT counted.total, listed.* FROM (SELECT (${total}) AS total) counted LEFT JOIN LATERAL (
  SELECT r.id, r.account_id, r.point_of_sale_id, r.type, r.status, ${IS_FULFILLED} AS fulfilled, r.received_amount, r.reference_id,
    r.created_at, r.expires_at, r.confirmed_at, ${REQUESTED_ASSET} AS asked,
    (SELECT jsonb_build_object('sessionId', c.session_id, 'amount', c.amount, 'coinCode', c.coin_code,
       'returnUrl', c.return_url, 'paymentLinkId', c.payment_link_id)
     FROM payments.checkouts c WHERE c.payment_request_id = r.id) AS checkout
  FROM (${ids} ${ORDER_BY} ${ORDER.limitSql(7)}) page
  JOIN payments.payment_requests r ON r.id = page.id
) listed ON true
ORDER BY ${ORDER.orderBySql('listed')}`;

export const PAGE = pageSql(IS_ONE_POINT_OF_SALE, WITH_ANY_REFERENCE);
export const PAGE_OF_REFERENCE = pageSql(IS_ONE_POINT_OF_SALE, WITH_REFERENCE);
export const PAGE_OF_ALL_POINTS_OF_SALE = pageSql(IS_ANY_POINT_OF_SALE, OF_ALL_POINTS_OF_SALE);
const PAGE_OF_REFERENCE_AT_ALL_POINTS_OF_SALE = pageSql(IS_ANY_POINT_OF_SALE, WITH_REFERENCE);

@Injectable()
export class ListedPaymentRequests {
  constructor(
    private readonly database: Database,
    private readonly pointsOfSale: PointsOfSale,
  ) {}

  /**
   * @param pointOfSale null for all points of sale of the scope; the number is then exact up to
   * `MAX_COUNTED_REQUESTS`
   * @throws not_found, also for another tenant's point of sale
   */
  async page(
    scope: Scope,
    pointOfSale: PointOfSaleId | null,
    { statuses = STATUSES, referenceId, created }: PaymentRequestFilter,
    page: PageRequest,
  ): Promise<Page<ListedPaymentRequest>> {
    const { organizationId, accountId } = scope;
    if (pointOfSale !== null) await this.pointsOfSale.find(scope, pointOfSale);
    const { from = null, before = null } = created;
    const values = [
      pointOfSale,
      organizationId,
      accountId,
      statuses,
      from,
      before,
      ...ORDER.parameters(page),
    ];
    const [any, ofReference] =
      pointOfSale === null
        ? [PAGE_OF_ALL_POINTS_OF_SALE, PAGE_OF_REFERENCE_AT_ALL_POINTS_OF_SALE]
        : [PAGE, PAGE_OF_REFERENCE];
    const rows = await (referenceId === undefined
      ? this.database.queryReplica<PageRow<Row>>(any, values)
      : this.database.queryReplica<PageRow<Row>>(ofReference, [...values, referenceId]));
    return ORDER.page(rows, page, toListedRequest);
  }
}

function toListedRequest({ asked, checkout, ...row }: Row): ListedPaymentRequest {
  return {
    ...withoutNulls<Columns>(row),
    ...(asked && { asked: readAsked(asked) }),
    ...(checkout && { checkout: withoutNulls<ListedCheckout>(checkout) }),
  };
}
