import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { ACTUAL_OR_RESERVED_COST } from './authorization-rows.js';

/** Costs are in the smallest unit of the native coin. */
export interface SponsoringStatistics {
  readonly network: string;
  /** Gas cost of the last 24 hours. Uses the reserved cost if the actual cost is unknown. */
  readonly cost: bigint;
  /** Authorizations stored in the last 24 hours; `failed` counts those that failed. */
  readonly stored: number;
  readonly failed: number;
  readonly queued: number;
  readonly sent: number;
  readonly held: string | null;
}

export const SPONSORING_BY_NETWORK = `SELECT n.network, d.cost, d.stored, d.failed, u.queued, u.sent, u.held
FROM (SELECT DISTINCT network FROM payments.chain_cursors) n
CROSS JOIN LATERAL (SELECT COALESCE(sum(${ACTUAL_OR_RESERVED_COST}), 0) AS cost, count(*) AS stored, count(*) FILTER (WHERE state = 'failed') AS failed
  FROM payments.authorizations a WHERE a.network = n.network AND a.created_at > platform.now() - interval '24 hours') d
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'sent') AS sent,
    (array_agg(held ORDER BY created_at) FILTER (WHERE held IS NOT NULL))[1] AS held
  FROM payments.authorizations a WHERE a.network = n.network AND a.state IN ('queued', 'sent')) u`;

@Injectable()
export class SponsoringStatisticsQuery {
  constructor(private readonly database: Database) {}

  readByNetwork(): Promise<SponsoringStatistics[]> {
    return this.database.query<SponsoringStatistics>(SPONSORING_BY_NETWORK);
  }
}
