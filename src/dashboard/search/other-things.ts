import { Injectable } from '@nestjs/common';
import { isUuid, type OrganizationId } from '../../shared/kernel/ids.js';
import { Database } from '../../shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '../../shared/platform/database/optional-columns.js';
import type { OtherThing } from './hit.js';

/** $1 organization, $2 id. Each part reads a primary key. */
const BY_ID = `
SELECT 'transaction' AS kind, id, status, created_at AS "createdAt", payment_request_id AS "of"
FROM ledger.public_transaction_records WHERE id = $2 AND organization_id = $1
UNION ALL SELECT 'settlement', id, status, created_at, NULL
FROM settlement.public_settlement_records WHERE id = $2 AND organization_id = $1
UNION ALL SELECT 'refund', id, status, created_at, NULL
FROM settlement.public_refund_records WHERE id = $2 AND organization_id = $1
UNION ALL SELECT 'webhook', id, NULL, created_at, NULL
FROM webhooks.public_registered_webhooks WHERE id = $2 AND organization_id = $1
UNION ALL (SELECT 'delivery', delivery_id, status, created_at, webhook_id
  FROM webhooks.public_delivery_attempts WHERE delivery_id = $2 AND organization_id = $1
  ORDER BY attempt DESC LIMIT 1)
UNION ALL SELECT 'point_of_sale', id, NULL, NULL, NULL
FROM point_of_sale.public_point_of_sale_versions WHERE id = $2 AND organization_id = $1`;

/** What contexts publish of things that are found by their ids. */
@Injectable()
export class OtherThings {
  constructor(private readonly database: Database) {}

  async find(organization: OrganizationId, typed: string): Promise<OtherThing[]> {
    const id = typed.trim().toLowerCase();
    if (!isUuid(id)) return [];
    const rows = await this.database.query<RowOf<OtherThing>>(BY_ID, [organization, id]);
    return rows.map((row) => withoutNulls<OtherThing>(row));
  }
}
