import { Injectable } from '@nestjs/common';
import type { AnalyticsAsset } from '#contexts/analytics/contract/daily-analytics.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import { Database } from '#shared/platform/database/database.js';

/** Current balances of one asset, in smallest units. */
export interface AssetBalances {
  readonly uniqueAssetId: string;
  /** Balance at deposit addresses, not yet settled. */
  readonly waiting: bigint;
  /** Balance sent from deposit addresses in settlements that are not final yet. */
  readonly inFlight: bigint;
  /** Balance held by refund floats. */
  readonly float: bigint;
  /** Names and decimals of the asset. Absent if analytics has no data about it. */
  readonly asset?: AnalyticsAsset;
}

export type CompleteAssetBalances = Required<AssetBalances>;

export interface LatestPaymentRequest {
  readonly id: string;
  readonly referenceId: string | null;
  readonly status: PaymentRequestStatus;
  readonly createdAt: Date;
  readonly currency: string;
  /** In smallest units if `decimals` is not null. */
  readonly amount: string;
  readonly decimals: number | null;
}

export interface BalancesAndLatestPaymentRequests {
  /** Accounting currency of most accounts. Null if no account has one. */
  readonly booksCurrency: string | null;
  readonly assets: readonly AssetBalances[];
  /** The last recorded rates in the accounting currency, by asset symbol. */
  readonly rates: ReadonlyMap<string, Rate>;
  /** Newest first. */
  readonly latest: readonly LatestPaymentRequest[];
}

export type AttentionKind =
  | 'webhook_failing'
  | 'refund_approval'
  | 'refund_payer'
  | 'held'
  | 'underpaid'
  | 'overpaid'
  | 'deposit'
  | 'float'
  | 'gas';

/** Steps of the first set-up that a merchant has not done yet. */
export type OpenSetupStep = 'no_support_contact' | 'no_point_of_sale' | 'no_webhook' | 'no_transaction';

/** A problem or open task that requires action by the merchant. */
export interface AttentionItem {
  readonly kind: AttentionKind | OpenSetupStep;
  /** Number of cases of this kind, at most `COUNTED`. `float` and `gas` have one entry per network. */
  readonly number: number;
  /** Id of the latest affected webhook, refund or payment request, or name of the network. */
  readonly about: string | null;
}

/** Maximum number of cases that are counted per kind. */
export const MAX_COUNTED_CASES = 100;
/** Age in days above which unrefunded deposits are no longer reported. */
const MAX_DEPOSIT_AGE_DAYS = 30;
/** Number of refunds for which the gas of a float must suffice. Below it, the float is reported as low on gas. */
const MIN_REFUNDS_PAID_BY_GAS = 5;

/** Maximum age of a recorded rate that values the totals. */
const MAX_RATE_AGE_HOURS = 24;

const ACCOUNTS = 'ARRAY(SELECT a.id FROM identity.public_accounts a WHERE a.organization_id = $1)';

/** SQL for the accounting currency that most accounts of organization $1 have. */
const SELECT_BOOKS_CURRENCY = `
SELECT currency FROM (SELECT DISTINCT ON (account_id) currency FROM ledger.public_book_currencies
  WHERE organization_id = $1 ORDER BY account_id, since DESC) present
WHERE currency IS NOT NULL GROUP BY currency ORDER BY count(*) DESC, currency LIMIT 1`;

const LATEST_PAYMENTS_SHOWN = 5;

/** Each status of each point of sale is a range of an index. */
const SELECT_LATEST_PAYMENTS = `
SELECT jsonb_agg(jsonb_build_object('id', l.id, 'referenceId', l.reference_id, 'status', l.status, 'createdAt', l.created_at,
  'currency', l.currency, 'amount', l.amount, 'decimals', l.decimals) ORDER BY l.created_at DESC, l.id DESC)
FROM (SELECT r.id FROM point_of_sale.public_named_points_of_sale p, unnest('{${PAYMENT_REQUEST_STATUSES.join(',')}}'::text[]) chosen (status)
  CROSS JOIN LATERAL (SELECT id, created_at FROM payments.public_listed_requests
    WHERE point_of_sale_id = p.id AND status = chosen.status AND organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${LATEST_PAYMENTS_SHOWN}) r
  WHERE p.organization_id = $1 ORDER BY r.created_at DESC, r.id DESC LIMIT ${LATEST_PAYMENTS_SHOWN}) newest
JOIN payments.public_listed_requests l ON l.id = newest.id AND l.organization_id = $1`;

/** SQL for the balances and latest payments of organization $1. The ledger stores the balances. */
export const SELECT_BALANCES = `
SELECT b.books_currency, b.latest, money.*, a.network, a.currency, a.decimals, r.price, r.sources, r.at
FROM (SELECT (${SELECT_BOOKS_CURRENCY}) AS books_currency, (${SELECT_LATEST_PAYMENTS}) AS latest) b
LEFT JOIN (
  SELECT unique_asset_id, sum(amount) FILTER (WHERE ledger_account = 'custody') AS waiting,
    sum(amount) FILTER (WHERE ledger_account = 'in_flight') AS in_flight,
    sum(amount) FILTER (WHERE ledger_account = 'refund_float') AS float
  FROM ledger.public_account_balances
  WHERE account_id = ANY (${ACCOUNTS}) AND ledger_account IN ('custody', 'in_flight', 'refund_float')
  GROUP BY unique_asset_id) money ON true
LEFT JOIN figures.public_assets a USING (unique_asset_id)
LEFT JOIN LATERAL (SELECT x.price, x.sources, x.at FROM ledger.public_recorded_rates x
  WHERE x.symbol = a.currency AND x.currency = b.books_currency
    AND x.recorded_at > platform.now() - interval '${MAX_RATE_AGE_HOURS} hours'
  ORDER BY x.recorded_at DESC LIMIT 1) r ON true`;

const FAILING_WEBHOOKS = `
SELECT 'webhook_failing' AS kind, count(*) AS number, max(id::text) AS about FROM (
  SELECT id FROM webhooks.public_registered_webhooks
  WHERE organization_id = $1 AND active AND failing LIMIT ${MAX_COUNTED_CASES}) failing`;

const HELD_ADDRESSES = `
SELECT 'held', count(*), max(payment_request_id::text) FROM (
  SELECT payment_request_id FROM payments.public_held_addresses WHERE organization_id = $1 LIMIT ${MAX_COUNTED_CASES}) held`;

/** SQL for payment requests with deposits outside the payment that are not fully refunded. */
const UNREFUNDED_DEPOSITS = `
SELECT 'deposit', count(*), max(payment_request_id::text) FROM (
  SELECT d.payment_request_id FROM (SELECT * FROM figures.public_deposits
    WHERE organization_id = $1 AND at >= $2 ORDER BY at DESC LIMIT ${MAX_COUNTED_CASES}) d
  GROUP BY d.payment_request_id, d.unique_asset_id
  HAVING sum(d.amount) > COALESCE((SELECT r.refunded FROM settlement.public_refunded_sums r
    WHERE r.payment_request_id = d.payment_request_id AND r.unique_asset_id = d.unique_asset_id), 0)) kept`;

/** SQL for underpaid payment requests that are neither accepted nor refunded. */
const UNDERPAID_REQUESTS = `
SELECT 'underpaid', count(*), max(id::text) FROM (
  SELECT u.id FROM point_of_sale.public_named_points_of_sale p
  JOIN payments.public_unaccepted_requests u ON u.point_of_sale_id = p.id AND u.created_at >= $2
  WHERE p.organization_id = $1 AND NOT EXISTS (SELECT FROM settlement.public_refunded_sums r
    WHERE r.payment_request_id = u.id AND r.refunded > 0) LIMIT ${MAX_COUNTED_CASES}) short`;

/** SQL for overpaid payment requests whose excess is not fully refunded. */
const UNREFUNDED_EXCESSES = `
SELECT 'overpaid', count(*), max(id::text) FROM (
  SELECT o.id FROM point_of_sale.public_named_points_of_sale p
  JOIN payments.public_overpaid_requests o ON o.point_of_sale_id = p.id AND o.created_at >= $2
  WHERE p.organization_id = $1 AND o.excess > COALESCE((SELECT r.refunded FROM settlement.public_refunded_sums r
    WHERE r.payment_request_id = o.id AND r.unique_asset_id = o.unique_asset_id), 0) LIMIT ${MAX_COUNTED_CASES}) over`;

const WAITING_REFUNDS = `SELECT 'refund_' || waits_for, count(*), max(id::text) FROM open_refunds GROUP BY waits_for`;

/** SQL for floats whose free balance does not cover the refunds that wait for it. */
const FLOATS_SHORT_OF_BALANCE = `
SELECT 'float', count(*), network FROM (
  SELECT o.network FROM open_refunds o LEFT JOIN float_levels l USING (network, holding)
  GROUP BY o.network, o.holding, l.free HAVING sum(o.amount) > COALESCE(l.free, 0)) short
GROUP BY network`;

const FLOATS_LOW_ON_GAS = `
SELECT 'gas', count(*), network FROM float_levels
WHERE holding = 'native' AND free < last_gas * ${MIN_REFUNDS_PAID_BY_GAS} GROUP BY network`;

const openStep = (step: OpenSetupStep, table: string) =>
  `SELECT '${step}', 1, NULL WHERE NOT EXISTS (SELECT FROM ${table} WHERE organization_id = $1)`;

const OPEN_STEPS = [
  openStep('no_support_contact', 'identity.public_support_contacts'),
  openStep('no_point_of_sale', 'point_of_sale.public_named_points_of_sale'),
  openStep('no_webhook', 'webhooks.public_registered_webhooks'),
  openStep('no_transaction', 'ledger.public_transaction_records'),
].join(' UNION ALL ');

/** SQL for all problems and open tasks of organization $1. Payments and deposits are included from time $2 on. */
export const SELECT_ATTENTION = `
WITH open_refunds AS MATERIALIZED (SELECT * FROM settlement.public_open_refunds
  WHERE account_id = ANY (${ACCOUNTS}) AND waits_for <> 'payment' LIMIT ${MAX_COUNTED_CASES}),
float_levels AS MATERIALIZED (SELECT * FROM settlement.public_refund_float_levels WHERE organization_id = $1)
${FAILING_WEBHOOKS} UNION ALL ${WAITING_REFUNDS} UNION ALL ${HELD_ADDRESSES}
UNION ALL ${UNDERPAID_REQUESTS} UNION ALL ${UNREFUNDED_EXCESSES} UNION ALL ${UNREFUNDED_DEPOSITS}
UNION ALL ${FLOATS_SHORT_OF_BALANCE} UNION ALL ${FLOATS_LOW_ON_GAS}
UNION ALL ${OPEN_STEPS}`;

type Nullable<Fields> = { readonly [Field in keyof Fields]: Fields[Field] | null };
type BalancesRow = Nullable<Omit<AssetBalances, 'asset'> & AnalyticsAsset & Rate> &
  Pick<BalancesAndLatestPaymentRequests, 'booksCurrency'> & {
    readonly latest:
      readonly (Omit<LatestPaymentRequest, 'createdAt'> & { readonly createdAt: string })[] | null;
  };

/** Reads current balances, problems and open tasks of a merchant from the public views of contexts. */
@Injectable()
export class OverviewQueries {
  constructor(private readonly database: Database) {}

  async balancesAndLatestPaymentRequests(
    organizationId: OrganizationId,
  ): Promise<BalancesAndLatestPaymentRequests> {
    const rows = await this.database.queryReplica<BalancesRow>(SELECT_BALANCES, [organizationId]);
    return {
      booksCurrency: rows[0]!.booksCurrency,
      latest: (rows[0]!.latest ?? []).map((each) => ({ ...each, createdAt: new Date(each.createdAt) })),
      assets: rows.flatMap(toBalances),
      rates: new Map(rows.flatMap(toRate)),
    };
  }

  async attention(organizationId: OrganizationId, now: Date): Promise<AttentionItem[]> {
    const since = new Date(now.getTime() - MAX_DEPOSIT_AGE_DAYS * 86_400_000);
    const rows = await this.database.queryReplica<AttentionItem>(SELECT_ATTENTION, [organizationId, since]);
    return rows.filter(({ number }) => number > 0);
  }
}

/** Without balances, the result is one row without an asset. */
function toBalances(row: BalancesRow): AssetBalances[] {
  const { uniqueAssetId, waiting, inFlight, float, network, currency, decimals } = row;
  if (uniqueAssetId === null) return [];
  const amounts = { waiting: waiting ?? 0n, inFlight: inFlight ?? 0n, float: float ?? 0n };
  if (network === null || currency === null || decimals === null) return [{ uniqueAssetId, ...amounts }];
  return [{ uniqueAssetId, ...amounts, asset: { network, currency, decimals } }];
}

function toRate({ currency, price, sources, at }: BalancesRow): [string, Rate][] {
  if (currency === null || price === null || sources === null || at === null) return [];
  return [[currency, { price, sources, at }]];
}
