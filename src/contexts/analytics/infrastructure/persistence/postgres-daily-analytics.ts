import { Injectable } from '@nestjs/common';
import {
  type DailyAnalyticsView,
  type DailyAnalyticsValue,
  DailyAnalytics,
  type AnalyticsAsset,
} from '../../contract/daily-analytics.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { ANALYTICS_SUBSCRIBER } from '../analytics-subscriber.js';

type Nullable<Fields> = { readonly [Field in keyof Fields]: Fields[Field] | null };
/** Without figures, the result is one row without a figure. */
type DailyFigureRow = Omit<DailyAnalyticsView, 'figures'> &
  Nullable<Omit<DailyAnalyticsValue, 'asset'> & AnalyticsAsset>;

/** $1 organization, $2 account or null, $3 first day, $4 subscriber. */
export const SELECT_DAILY_ANALYTICS = `
WITH progress AS MATERIALIZED (
  SELECT p.generation, p.complete, (SELECT e.occurred_at FROM platform.events e
    WHERE e.transaction_id >= COALESCE(s.transaction_id, '0')
      AND (e.transaction_id, e.position) > (COALESCE(s.transaction_id, '0'), COALESCE(s.position, 0))
    ORDER BY e.transaction_id, e.position LIMIT 1) AS uncounted_since
  FROM figures.present p LEFT JOIN platform.subscriber_positions s ON s.subscriber = $4)
SELECT p.complete, p.uncounted_since, d.day::text AS day, d.figure, d.part, d.number, d.amount,
  a.network, a.currency, a.decimals
FROM progress p
LEFT JOIN figures.daily d ON d.generation = p.generation AND d.scope_id = COALESCE($2::uuid, $1::uuid)
  AND d.organization_id = $1 AND d.day >= $3::date AND (d.number <> 0 OR d.amount <> 0)
LEFT JOIN figures.assets a ON a.unique_asset_id = d.part`;

@Injectable()
export class PostgresDailyAnalytics extends DailyAnalytics {
  constructor(private readonly database: Database) {
    super();
  }

  override async since({ organizationId, accountId }: TenantScope, day: string): Promise<DailyAnalyticsView> {
    const values = [organizationId, accountId, day, ANALYTICS_SUBSCRIBER];
    const rows = await this.database.queryReplica<DailyFigureRow>(SELECT_DAILY_ANALYTICS, values);
    const { complete, uncountedSince } = rows[0]!;
    return { figures: rows.flatMap(toDailyFigure), complete, uncountedSince };
  }
}

function toDailyFigure({
  day,
  figure,
  part,
  number,
  amount,
  network,
  currency,
  decimals,
}: DailyFigureRow): DailyAnalyticsValue[] {
  if (day === null || figure === null || part === null || number === null || amount === null) return [];
  const counted = { day, figure, part, number, amount };
  if (network === null || currency === null || decimals === null) return [counted];
  return [{ ...counted, asset: { network, currency, decimals } }];
}
