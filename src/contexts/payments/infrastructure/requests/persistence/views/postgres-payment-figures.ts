import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import {
  PaymentFiguresQueries,
  type DayCount,
  type DayVolume,
  type PaymentFigures,
} from '#contexts/payments/contract/payment-figures.js';
import { TRANSITIONS } from '#contexts/payments/domain/requests/status.js';

type VolumeJson = Omit<DayVolume, 'amount'> & { amount: string };

interface Row {
  counts: DayCount[] | null;
  volumes: VolumeJson[] | null;
  median: number | null;
  ninth: number | null;
}

/**
 * $1 organization, $2 account or null, $3 statuses, $4 from. Each point of sale and status has its run of the index
 * `payment_requests_of_point_of_sale`; what is older is not read. The rows are read and grouped once, without a join and by
 * few columns: PostgreSQL sorts joined and wide ones on disk.
 */
export const FIGURES = `
WITH groups AS MATERIALIZED (
  SELECT (created_at AT TIME ZONE 'UTC')::date AS day, status, unique_asset_id AS "uniqueAssetId",
    min(network) AS network, min(currency) AS currency, min(decimals) AS decimals,
    count(*)::int AS count, count(confirmed_at)::int AS payments,
    sum(received_amount) FILTER (WHERE confirmed_at IS NOT NULL) AS amount,
    array_agg(extract(epoch FROM confirmed_at - created_at)::float8) FILTER (WHERE confirmed_at IS NOT NULL) AS seconds
  FROM payments.payment_requests
  WHERE point_of_sale_id = ANY (ARRAY(
      SELECT p.id FROM point_of_sale.public_point_of_sale_versions p
      WHERE p.organization_id = $1 AND ($2::uuid IS NULL OR p.account_id = $2)))
    AND status = ANY ($3::text[]) AND created_at >= $4
  GROUP BY 1, 2, 3)
SELECT
  (SELECT jsonb_agg(to_jsonb(c)) FROM (
    SELECT day, status, sum(count)::int AS count FROM groups GROUP BY 1, 2 ORDER BY 1, 2) c) AS counts,
  (SELECT jsonb_agg(to_jsonb(v)) FROM (
    SELECT day, "uniqueAssetId", network, currency, decimals, sum(payments)::int AS payments, sum(amount)::text AS amount
    FROM groups WHERE payments > 0 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2) v) AS volumes,
  taken.seconds[1] AS median, taken.seconds[2] AS ninth
FROM (SELECT percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY one) AS seconds
  FROM groups CROSS JOIN unnest(groups.seconds) AS one) taken`;

@Injectable()
export class PostgresPaymentFigures extends PaymentFiguresQueries {
  constructor(private readonly database: Database) {
    super();
  }

  override async since({ organizationId, accountId }: Scope, from: Date): Promise<PaymentFigures> {
    const values = [organizationId, accountId, Object.keys(TRANSITIONS), from];
    const [row] = await this.database.queryReplica<Row>(FIGURES, values);
    const { counts, volumes, median, ninth } = row!;
    return {
      counts: counts ?? [],
      volumes: (volumes ?? []).map((volume) => ({ ...volume, amount: BigInt(volume.amount) })),
      ...(median !== null && ninth !== null && { secondsToPay: { median, ninth } }),
    };
  }
}
