import { Injectable } from '@nestjs/common';
import { type DomainError, invalidField } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import type {
  ListedCheckout,
  ListedPaymentRequest,
  PaymentRequestFilter,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import { IS_FULFILLED } from '../status-and-deadline.sql.js';
import { BEGINS_WITH_SPELLING, spellingsOf } from './reference-spellings.sql.js';
import { PAYMENT_DUE_JSON, readPaymentDue, type PaymentDueJson } from './checkout-view-row.js';

type Columns = Omit<ListedPaymentRequest, 'asked' | 'checkout'>;

type Row = RowOf<Columns> & {
  asked: PaymentDueJson | null;
  checkout: RowOf<ListedCheckout> | null;
};
type Counts = Partial<Record<PaymentRequestStatus, number>>;

const IS_IN_PERIOD = `created_at >= COALESCE($5::timestamptz, '-infinity')
  AND created_at < COALESCE($6::timestamptz, 'infinity')`;
const IS_OF_POINT_IN_PERIOD = `point_of_sale_id = points.id AND ${IS_IN_PERIOD}`;
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
      SELECT count(*) AS length FROM payments.payment_requests WHERE ${IS_OF_POINT_IN_PERIOD} AND status = chosen.status) run`,
  ids: `SELECT run.id, run.created_at FROM ${RANGES_BY_STATUS} (
      SELECT id, created_at FROM payments.payment_requests
      WHERE ${IS_OF_POINT_IN_PERIOD} AND status = chosen.status AND ${IS_AFTER_CURSOR} ${ORDER_BY} LIMIT $9::bigint + $10::bigint) run`,
};

/** Few requests share a reference, so all its index entries are read. */
const WITH_REFERENCE = {
  total: `SELECT coalesce(sum(run.length), 0)::int FROM points CROSS JOIN LATERAL (
    SELECT count(*) AS length FROM payments.payment_requests
    WHERE ${IS_OF_POINT_IN_PERIOD} AND status = ANY($4::text[]) AND reference_id = $11) run`,
  ids: `SELECT run.id, run.created_at FROM points CROSS JOIN LATERAL (
    SELECT id, created_at FROM payments.payment_requests
    WHERE ${IS_OF_POINT_IN_PERIOD} AND status = ANY($4::text[]) AND reference_id = $11 AND ${IS_AFTER_CURSOR}) run`,
};

/** Beyond this count, the dashboard knows only whether a next page exists. */
export const MAX_COUNTED_REQUESTS = 10_000;
/** Beyond this count, the dashboard does not count the requests of a status. */
const MAX_COUNTED_PER_STATUS = 1_000;

const SEARCH_WITH_ANY_REFERENCE = {
  ids: WITH_ANY_REFERENCE.ids,
  total: `SELECT count(*)::int FROM (SELECT FROM ${RANGES_BY_STATUS} (
      SELECT FROM payments.payment_requests WHERE ${IS_OF_POINT_IN_PERIOD} AND status = chosen.status) run
    LIMIT GREATEST(${MAX_COUNTED_REQUESTS}, $9::bigint + $10::bigint)) counted`,
  counts: `SELECT jsonb_object_agg(each.status, run.length)
    FROM unnest('{${PAYMENT_REQUEST_STATUSES.join(',')}}'::text[]) each (status) CROSS JOIN LATERAL (
      SELECT count(*) AS length FROM (SELECT FROM points CROSS JOIN LATERAL (
        SELECT FROM payments.payment_requests WHERE ${IS_OF_POINT_IN_PERIOD} AND status = each.status
        LIMIT ${MAX_COUNTED_PER_STATUS}) one LIMIT ${MAX_COUNTED_PER_STATUS}) counted) run`,
};

/** All references that begin with $11 in one of its spellings, whenever they were created. */
const MATCHES = `, matches AS MATERIALIZED (SELECT run.* FROM points CROSS JOIN ${spellingsOf('$11')} CROSS JOIN LATERAL (
  SELECT id, created_at, status FROM payments.payment_requests
  WHERE point_of_sale_id = points.id AND ${BEGINS_WITH_SPELLING}
  LIMIT ${MAX_COUNTED_REQUESTS + 1}) run LIMIT ${MAX_COUNTED_REQUESTS + 1})`;
const SEARCH_WITH_REFERENCE = {
  matches: MATCHES,
  total: `SELECT count(*)::int FROM matches WHERE ${IS_IN_PERIOD} AND status = ANY($4::text[])`,
  ids: `SELECT id, created_at FROM matches WHERE ${IS_IN_PERIOD} AND status = ANY($4::text[]) AND ${IS_AFTER_CURSOR}`,
  counts: `SELECT jsonb_object_agg(run.status, run.length) FROM (
    SELECT status, count(*) AS length FROM matches WHERE ${IS_IN_PERIOD} GROUP BY status) run`,
  isTooMany: `SELECT count(*) > ${MAX_COUNTED_REQUESTS} FROM matches`,
};

interface PageSql {
  readonly total: string;
  readonly ids: string;
  /** The number of requests of each status, whichever statuses are chosen. */
  readonly counts?: string;
  readonly matches?: string;
  readonly isTooMany?: string;
}

const POINT_OF_SALE_NAME = `
    (SELECT p.name FROM point_of_sale.public_named_points_of_sale p WHERE p.id = r.point_of_sale_id) AS point_of_sale_name,`;

/**
 * $1 point of sale, $2 organization, $3 account or null, $4 statuses, $5 from, $6 before, from $7 on
 * `ORDER.parameters`.
 */
const pageSql = (which: string, { total, ids, counts, matches = '', isTooMany = 'false' }: PageSql) => `
WITH points AS MATERIALIZED (
  SELECT p.id FROM point_of_sale.public_point_of_sale_versions p
  WHERE ${which} AND p.organization_id = $2 AND ($3::uuid IS NULL OR p.account_id = $3)
)${matches}
SELECT counted.*, listed.* FROM (SELECT (${total}) AS total${counts ? `, (${counts}) AS counts, (${isTooMany}) AS is_too_many` : ''}) counted LEFT JOIN LATERAL (
  SELECT r.id, r.account_id, r.point_of_sale_id, r.type, r.status, ${IS_FULFILLED} AS fulfilled, r.received_amount, r.reference_id,
    r.created_at, r.expires_at, r.confirmed_at, ${PAYMENT_DUE_JSON} AS asked,${counts ? POINT_OF_SALE_NAME : ''}
    (SELECT jsonb_build_object('sessionId', c.session_id, 'amount', c.amount, 'coinCode', c.coin_code,
       'returnUrl', c.return_url, 'paymentLinkId', c.payment_link_id)
     FROM payments.checkouts c WHERE c.payment_request_id = r.id) AS checkout
  FROM (${ids} ${ORDER_BY} ${ORDER.limitSql(7)}) page
  JOIN payments.payment_requests r ON r.id = page.id
) listed ON true
ORDER BY ${ORDER.orderBySql('listed')}`;

export const PAYMENT_REQUEST_PAGE = pageSql('p.id = $1', WITH_ANY_REFERENCE);
export const PAYMENT_REQUEST_PAGE_OF_REFERENCE = pageSql('p.id = $1', WITH_REFERENCE);
const IS_CHOSEN_POINT_OF_SALE = '($1::uuid IS NULL OR p.id = $1)';
export const PAYMENT_REQUEST_SEARCH = pageSql(IS_CHOSEN_POINT_OF_SALE, SEARCH_WITH_ANY_REFERENCE);
export const PAYMENT_REQUEST_SEARCH_BY_REFERENCE = pageSql(IS_CHOSEN_POINT_OF_SALE, SEARCH_WITH_REFERENCE);

export interface PaymentRequestSearch extends Omit<PaymentRequestFilter, 'referenceId'> {
  /** Null for all points of sale of the scope. */
  readonly pointOfSale: PointOfSaleId | null;
  /** Beginning of the reference of the request, also in upper case, lower case or with initial capitals. */
  readonly reference?: string;
}

export interface FoundPaymentRequests extends Page<ListedPaymentRequest> {
  /** Number of requests by status, exact below 1,000. Ignores the statuses of the search. */
  readonly counts: Counts;
}

@Injectable()
export class PaymentRequestListQueries {
  constructor(
    private readonly database: Database,
    private readonly pointsOfSale: PointsOfSale,
  ) {}

  /** @throws not_found, also for another tenant's point of sale */
  async page(
    scope: TenantScope,
    pointOfSale: PointOfSaleId,
    { referenceId, ...filter }: PaymentRequestFilter,
    page: PageRequest,
  ): Promise<Page<ListedPaymentRequest>> {
    await this.pointsOfSale.find(scope, pointOfSale);
    const sql = referenceId === undefined ? PAYMENT_REQUEST_PAGE : PAYMENT_REQUEST_PAGE_OF_REFERENCE;
    const rows = await this.read(sql, scope, { pointOfSale, reference: referenceId, ...filter }, page);
    return ORDER.page(rows, page, toListedRequest);
  }

  /**
   * Serves the dashboard. The number is exact up to `MAX_COUNTED_REQUESTS`.
   * @throws not_found, also for another tenant's point of sale; invalid if more references begin like this
   */
  async search(
    scope: TenantScope,
    search: PaymentRequestSearch,
    page: PageRequest,
  ): Promise<FoundPaymentRequests> {
    if (search.pointOfSale !== null) await this.pointsOfSale.find(scope, search.pointOfSale);
    const sql = search.reference === undefined ? PAYMENT_REQUEST_SEARCH : PAYMENT_REQUEST_SEARCH_BY_REFERENCE;
    const rows = await this.read(sql, scope, search, page);
    if (rows[0]?.isTooMany) throw tooManyMatches();
    const items = rows.map(({ counts: _, isTooMany: __, ...row }) => row as PageRow<Row>);
    return { ...ORDER.page(items, page, toListedRequest), counts: rows[0]?.counts ?? {} };
  }

  private read(
    sql: string,
    { organizationId, accountId }: TenantScope,
    { pointOfSale, statuses = PAYMENT_REQUEST_STATUSES, created, reference }: PaymentRequestSearch,
    page: PageRequest,
  ) {
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
    if (reference !== undefined) values.push(reference);
    return this.database.queryReplica<PageRow<Row> & { counts?: Counts | null; isTooMany?: boolean }>(
      sql,
      values,
    );
  }
}

function tooManyMatches(): DomainError {
  const message = `More than ${MAX_COUNTED_REQUESTS} order numbers begin like this. Type more.`;
  return invalidField('reference', 'more_characters', message);
}

function toListedRequest({ asked, checkout, ...row }: Row): ListedPaymentRequest {
  return {
    ...withoutNulls<Columns>(row),
    ...(asked && { asked: readPaymentDue(asked) }),
    ...(checkout && { checkout: withoutNulls<ListedCheckout>(checkout) }),
  };
}
