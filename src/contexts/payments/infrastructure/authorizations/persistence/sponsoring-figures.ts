import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { COST } from './authorization-rows.js';

/** The payments by signature of a network, as operators look at them. Costs are in the smallest unit of its native coin. */
export interface SponsoringFigure {
  readonly network: string;
  /** In the last 24 hours; what is not known yet as it is reserved. */
  readonly cost: bigint;
  /** Since then, how many were stored, and how many have failed. */
  readonly stored: number;
  readonly failed: number;
  readonly queued: number;
  readonly sent: number;
  /** Why the one that waits longest does not go on; null where none is held. */
  readonly held: string | null;
}

/** One row for each network that was read. */
export const SPONSORING = `SELECT n.network, d.cost, d.stored, d.failed, u.queued, u.sent, u.held
FROM (SELECT DISTINCT network FROM payments.chain_cursors) n
CROSS JOIN LATERAL (SELECT COALESCE(sum(${COST}), 0) AS cost, count(*) AS stored, count(*) FILTER (WHERE state = 'failed') AS failed
  FROM payments.authorizations a WHERE a.network = n.network AND a.created_at > platform.now() - interval '24 hours') d
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'sent') AS sent,
    (array_agg(held ORDER BY created_at) FILTER (WHERE held IS NOT NULL))[1] AS held
  FROM payments.authorizations a WHERE a.network = n.network AND a.state IN ('queued', 'sent')) u`;

@Injectable()
export class SponsoringFigures {
  constructor(private readonly database: Database) {}

  all(): Promise<SponsoringFigure[]> {
    return this.database.query<SponsoringFigure>(SPONSORING);
  }
}
