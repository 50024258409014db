import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { ACTUAL_OR_RESERVED_COST } from './authorization-rows.js';

/** Metrics of the payments by signature on one network. Costs are in the smallest unit of the native coin. */
export interface SponsoringFigure {
  readonly network: string;
  /** Gas cost of the last 24 hours. Uses the reserved cost if the actual cost is unknown. */
  readonly cost: bigint;
  /** Number of authorizations stored in the last 24 hours; `failed` is the number of those that failed. */
  readonly stored: number;
  readonly failed: number;
  readonly queued: number;
  readonly sent: number;
  /** Reason for which the oldest held authorization is held; null if none is held. */
  readonly held: string | null;
}

/** Returns one row for each network that the watcher has read. */
export const SPONSORING_BY_NETWORK = `SELECT n.network, d.cost, d.stored, d.failed, u.queued, u.sent, u.held
FROM (SELECT DISTINCT network FROM payments.chain_cursors) n
CROSS JOIN LATERAL (SELECT COALESCE(sum(${ACTUAL_OR_RESERVED_COST}), 0) AS cost, count(*) AS stored, count(*) FILTER (WHERE state = 'failed') AS failed
  FROM payments.authorizations a WHERE a.network = n.network AND a.created_at > platform.now() - interval '24 hours') d
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'sent') AS sent,
    (array_agg(held ORDER BY created_at) FILTER (WHERE held IS NOT NULL))[1] AS held
  FROM payments.authorizations a WHERE a.network = n.network AND a.state IN ('queued', 'sent')) u`;

@Injectable()
export class SponsoringFigures {
  constructor(private readonly database: Database) {}

  readByNetwork(): Promise<SponsoringFigure[]> {
    return this.database.query<SponsoringFigure>(SPONSORING_BY_NETWORK);
  }
}
