import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import { Database } from '#shared/platform/database/database.js';
import {
  type HoldReleaseDetails,
  type HoldReleaseResult,
  type SettlementHold,
  SettlementHolds,
} from '../../application/evaluation/settlement-holds.js';
import {
  type NetworkRemovalBlockers,
  NetworkRemovalBlockersQuery,
} from '../../contract/network-removal-blockers.js';
import { WATCHED_STATUSES_SQL } from '../requests/persistence/status-and-deadline.sql.js';

const HOLD_COLUMNS = `id, network, address, payment_request_id, organization_id, account_id, transfer_id, held_at,
  released_at, released_by, release_reason`;

@Injectable()
export class PostgresSettlementHolds extends SettlementHolds {
  constructor(private readonly database: Database) {
    super();
  }

  async list(released: boolean, { page, pageSize }: PageRequest): Promise<Page<SettlementHold>> {
    const rows = await this.database.query<PageRow<SettlementHold>>(
      `WITH shown AS NOT MATERIALIZED (
         SELECT ${HOLD_COLUMNS} FROM payments.settlement_holds WHERE $1 OR released_at IS NULL)
       SELECT counted.total, h.* FROM (SELECT count(*)::int AS total FROM shown) counted
       LEFT JOIN (SELECT * FROM shown ORDER BY held_at, id LIMIT $2 OFFSET $3) h ON true ORDER BY h.held_at, h.id`,
      [released, pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }

  async find(id: string): Promise<SettlementHold | null> {
    const [found] = await this.database.query<SettlementHold>(
      `SELECT ${HOLD_COLUMNS} FROM payments.settlement_holds WHERE id = $1`,
      [id],
    );
    return found ?? null;
  }

  async release(id: string, { at, by, reason }: HoldReleaseDetails): Promise<HoldReleaseResult | null> {
    const [released] = await this.database.query<SettlementHold>(
      `UPDATE payments.settlement_holds SET released_at = $2, released_by = $3, release_reason = $4
       WHERE id = $1 AND released_at IS NULL RETURNING ${HOLD_COLUMNS}`,
      [id, at, by, reason],
    );
    if (released !== undefined) return { kind: 'released', hold: released };
    const hold = await this.find(id);
    return hold && { kind: 'already_released', hold };
  }
}

@Injectable()
export class PostgresNetworkRemovalBlockers extends NetworkRemovalBlockersQuery {
  constructor(private readonly database: Database) {
    super();
  }

  readByNetwork(): Promise<NetworkRemovalBlockers[]> {
    return this.database.query<NetworkRemovalBlockers>(
      `WITH open AS (
         SELECT network, count(*)::integer AS requests FROM payments.payment_requests
         WHERE status IN ${WATCHED_STATUSES_SQL} GROUP BY network),
       held AS (
         SELECT network, count(*)::integer AS addresses FROM payments.public_settlement_holds GROUP BY network)
       SELECT network, COALESCE(open.requests, 0) AS open_requests, COALESCE(held.addresses, 0) AS held_addresses
       FROM open FULL JOIN held USING (network) ORDER BY network`,
    );
  }
}
