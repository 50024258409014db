import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../../shared/kernel/page.js';
import { Database } from '../../../../../shared/platform/database/database.js';
import {
  type Release,
  type SettlementHold,
  SettlementHolds,
} from '../../../application/watching/settlement-holds.js';

interface HoldRow {
  id: string;
  network: string;
  address: string;
  payment_request_id: string;
  organization_id: string;
  account_id: string;
  transfer_id: string;
  held_at: Date;
  released_at: Date | null;
  released_by: string | null;
  release_reason: string | null;
}

const COLUMNS = `id, network, address, payment_request_id, organization_id, account_id, transfer_id, held_at,
  released_at, released_by, release_reason`;

@Injectable()
export class PostgresSettlementHolds extends SettlementHolds {
  constructor(private readonly database: Database) {
    super();
  }

  async list(released: boolean, { page, pageSize }: PageRequest): Promise<Page<SettlementHold>> {
    const [counted] = await this.database.query<{ total: string }>(
      `SELECT count(*) AS total FROM payments.settlement_holds WHERE $1 OR released_at IS NULL`,
      [released],
    );
    const rows = await this.database.query<HoldRow>(
      `SELECT ${COLUMNS} FROM payments.settlement_holds WHERE $1 OR released_at IS NULL
       ORDER BY held_at, id LIMIT $2 OFFSET $3`,
      [released, pageSize, (page - 1) * pageSize],
    );
    return { items: rows.map(fromRow), total: Number(counted?.total ?? 0) };
  }

  async release(
    id: string,
    { at, by, reason }: Release,
  ): Promise<{ hold: SettlementHold; now: boolean } | null> {
    const [released] = await this.database.query<HoldRow>(
      `UPDATE payments.settlement_holds SET released_at = $2, released_by = $3, release_reason = $4
       WHERE id = $1 AND released_at IS NULL RETURNING ${COLUMNS}`,
      [id, at, by, reason],
    );
    if (released !== undefined) return { hold: fromRow(released), now: true };
    const [found] = await this.database.query<HoldRow>(
      `SELECT ${COLUMNS} FROM payments.settlement_holds WHERE id = $1`,
      [id],
    );
    return found === undefined ? null : { hold: fromRow(found), now: false };
  }
}

function fromRow(row: HoldRow): SettlementHold {
  return {
    id: row.id,
    network: row.network,
    address: row.address,
    paymentRequestId: row.payment_request_id,
    organizationId: row.organization_id,
    accountId: row.account_id,
    transferId: row.transfer_id,
    heldAt: row.held_at,
    releasedAt: row.released_at,
    releasedBy: row.released_by,
    releaseReason: row.release_reason,
  };
}
