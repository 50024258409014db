import { Injectable } from '@nestjs/common';
import type { FigureAsset } from '#contexts/analytics/contract/daily-analytics.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

/** Current balances of one asset, in smallest units. */
export interface StandingMoney {
  readonly uniqueAssetId: string;
  /** At deposit addresses, not yet settled. */
  readonly waiting: bigint;
  /** Sent from deposit addresses, but not final yet. */
  readonly inFlight: bigint;
  /** Held by refund floats. */
  readonly float: bigint;
  /** Absent if analytics has no data about the asset. */
  readonly asset?: FigureAsset;
}

export type AttentionKind =
  'webhook_failing' | 'refund_approval' | 'refund_payer' | 'held' | 'deposit' | 'float' | 'gas';

/** A problem, or work that waits for the merchant. */
export interface Attention {
  readonly kind: AttentionKind;
  /** Number of cases, at most `COUNTED`. `float` and `gas` have one entry per network. */
  readonly number: number;
  /** Id of a webhook or payment request, or a network name. */
  readonly about: string | null;
}

/** Maximum counted per kind. */
export const COUNTED = 100;
/** Older deposits are not reported. */
const DEPOSIT_DAYS = 30;
/** A float is low on gas if it pays for fewer refunds than this. */
const FEWEST_REFUNDS = 5;

const ACCOUNTS = 'ARRAY(SELECT a.id FROM identity.public_accounts a WHERE a.organization_id = $1)';

/** $1 organization. Reads the ledger's stored balances, not its entries. */
export const STANDING = `
SELECT * FROM (
  SELECT unique_asset_id, sum(amount) FILTER (WHERE ledger_account = 'custody') AS waiting,
    sum(amount) FILTER (WHERE ledger_account = 'in_flight') AS in_flight,
    sum(amount) FILTER (WHERE ledger_account = 'refund_float') AS float
  FROM ledger.public_account_balances
  WHERE account_id = ANY (${ACCOUNTS}) AND ledger_account IN ('custody', 'in_flight', 'refund_float')
  GROUP BY unique_asset_id) money
LEFT JOIN figures.public_assets USING (unique_asset_id)`;

/** $1 organization, $2 time from which deposits count. */
export const ATTENTION = `
WITH open AS MATERIALIZED (SELECT * FROM settlement.public_open_refunds
  WHERE account_id = ANY (${ACCOUNTS}) AND waits_for <> 'payment' LIMIT ${COUNTED}),
levels AS MATERIALIZED (SELECT * FROM settlement.public_refund_float_levels WHERE organization_id = $1)
SELECT 'webhook_failing' AS kind, count(*) AS number, min(id::text) AS about FROM (
  SELECT id FROM webhooks.public_registered_webhooks WHERE organization_id = $1 AND active AND failing LIMIT ${COUNTED}) failing
UNION ALL SELECT 'refund_' || waits_for, count(*), NULL FROM open GROUP BY waits_for
UNION ALL SELECT 'held', count(*), min(payment_request_id::text) FROM (
  SELECT payment_request_id FROM payments.public_held_addresses WHERE organization_id = $1 LIMIT ${COUNTED}) held
UNION ALL SELECT 'deposit', count(*), min(payment_request_id::text) FROM (
  SELECT d.payment_request_id FROM (SELECT * FROM figures.public_deposits
    WHERE organization_id = $1 AND at >= $2 ORDER BY at DESC LIMIT ${COUNTED}) d
  GROUP BY d.payment_request_id, d.unique_asset_id
  HAVING sum(d.amount) > COALESCE((SELECT r.refunded FROM settlement.public_refunded_sums r
    WHERE r.payment_request_id = d.payment_request_id AND r.unique_asset_id = d.unique_asset_id), 0)) kept
UNION ALL SELECT 'float', count(*), network FROM (
  SELECT o.network FROM open o LEFT JOIN levels l USING (network, holding)
  GROUP BY o.network, o.holding, l.free HAVING sum(o.amount) > COALESCE(l.free, 0)) lacking
  GROUP BY network
UNION ALL SELECT 'gas', count(*), network FROM levels
  WHERE holding = 'native' AND free < last_gas * ${FEWEST_REFUNDS} GROUP BY network`;

type Amounts = Omit<StandingMoney, 'uniqueAssetId' | 'asset'>;
type Nullable<Fields> = { readonly [Field in keyof Fields]: Fields[Field] | null };
type Row = Nullable<Amounts & FigureAsset> & Pick<StandingMoney, 'uniqueAssetId'>;

/** Reads the public views of contexts: current balances, problems, and work that waits for the merchant. */
@Injectable()
export class OverviewQueries {
  constructor(private readonly database: Database) {}

  async money(organizationId: OrganizationId): Promise<StandingMoney[]> {
    const rows = await this.database.queryReplica<Row>(STANDING, [organizationId]);
    return rows.map(({ uniqueAssetId, waiting, inFlight, float, network, currency, decimals }) => ({
      uniqueAssetId,
      ...{ waiting: waiting ?? 0n, inFlight: inFlight ?? 0n, float: float ?? 0n },
      ...(network !== null &&
        currency !== null &&
        decimals !== null && { asset: { network, currency, decimals } }),
    }));
  }

  async attention(organizationId: OrganizationId, now: Date): Promise<Attention[]> {
    const since = new Date(now.getTime() - DEPOSIT_DAYS * 86_400_000);
    const rows = await this.database.queryReplica<Attention>(ATTENTION, [organizationId, since]);
    return rows.filter(({ number }) => number > 0);
  }
}
