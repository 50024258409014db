import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import { PaymentSearch, type SearchedFor } from '#contexts/payments/application/explanation/find-payments.js';
import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';

const MOST = 20;

/** $1 organization, $2 account or null, $3 id, $4 text, $5 hexadecimal, $6 networks. Each part reads one index. */
export const FIND = `
SELECT r.id, r.point_of_sale_id, r.status, r.reference_id, r.created_at
FROM payments.payment_requests r
WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.account_id = $2) AND r.id IN (
  SELECT $3::uuid WHERE $3::uuid IS NOT NULL
  UNION SELECT of_pos.id FROM point_of_sale.public_point_of_sale_versions p CROSS JOIN LATERAL (
    SELECT id FROM payments.payment_requests
    WHERE point_of_sale_id = p.id AND reference_id = $4 LIMIT ${MOST}) of_pos
  WHERE p.organization_id = $1
  UNION SELECT payment_request_id FROM payments.checkouts WHERE session_id = $4
  UNION SELECT payment_request_id FROM payments.deposit_addresses WHERE network = ANY($6) AND address = $5
  UNION SELECT payment_request_id FROM payments.transfers
    WHERE network = ANY($6) AND kind IN ('log', 'call') AND transaction_hash = $5 AND canonical AND organization_id = $1)
ORDER BY r.created_at DESC, r.id DESC LIMIT ${MOST}`;

@Injectable()
export class PostgresPaymentSearch extends PaymentSearch {
  constructor(private readonly database: Database) {
    super();
  }

  async find(
    { organizationId, accountId }: Scope,
    { id, text, hex }: SearchedFor,
    networks: readonly string[],
  ): Promise<FoundPayment[]> {
    const values = [organizationId, accountId, id ?? null, text, hex ?? null, networks];
    const rows = await this.database.query<RowOf<FoundPayment>>(FIND, values);
    return rows.map((row) => withoutNulls<FoundPayment>(row));
  }
}
