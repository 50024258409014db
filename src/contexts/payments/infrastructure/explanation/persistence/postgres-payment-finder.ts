import { Injectable } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  MAX_FOUND_PAYMENTS,
  PaymentFinder,
  type FoundPayment,
} from '#contexts/payments/contract/payment-finder.js';
import {
  BEGINS_WITH_SPELLING,
  spellingsOf,
} from '../../requests/persistence/views/reference-spellings.sql.js';
import { KINDS_WITH_TRANSACTION } from './explanation-row.js';

/**
 * Each branch reads one index. $1 organization, $2 account or null, $3 id, $4 text or beginning of a reference, $5 address
 * or hash, $6 networks.
 */
export const FIND_PAYMENTS = `
SELECT r.id, r.point_of_sale_id, r.status, r.reference_id, r.created_at
FROM payments.payment_requests r
WHERE r.organization_id = $1 AND ($2::uuid IS NULL OR r.account_id = $2) AND r.id IN (
  SELECT $3::uuid WHERE $3::uuid IS NOT NULL
  UNION SELECT of_pos.id FROM point_of_sale.public_point_of_sale_versions p CROSS JOIN ${spellingsOf('$4')} CROSS JOIN LATERAL (
    SELECT id FROM payments.payment_requests
    WHERE point_of_sale_id = p.id AND ${BEGINS_WITH_SPELLING}
    ORDER BY reference_id USING ~<~ LIMIT ${MAX_FOUND_PAYMENTS}) of_pos
  WHERE p.organization_id = $1
  UNION SELECT payment_request_id FROM payments.checkouts WHERE session_id = $4
  UNION SELECT payment_request_id FROM payments.deposit_addresses WHERE network = ANY($6) AND address = $5
  UNION SELECT payment_request_id FROM payments.transfers
    WHERE network = ANY($6) AND kind IN ${KINDS_WITH_TRANSACTION} AND transaction_hash = $5 AND canonical AND organization_id = $1)
ORDER BY r.reference_id IS NOT DISTINCT FROM $4 DESC, r.created_at DESC, r.id DESC LIMIT ${MAX_FOUND_PAYMENTS}`;

@Injectable()
export class PostgresPaymentFinder extends PaymentFinder {
  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {
    super();
  }

  override async find({ organizationId, accountId }: TenantScope, typed: string): Promise<FoundPayment[]> {
    const text = typed.trim();
    if (text === '') return [];
    const id = isUuid(text) ? text.toLowerCase() : null;
    const networks = this.catalogue.networks().map(({ network }) => network);
    const values = [organizationId, accountId, id, text, normalizeAddressOrHash(text), networks];
    const rows = await this.database.queryReplica<RowOf<FoundPayment>>(FIND_PAYMENTS, values);
    return rows.map((row) => withoutNulls<FoundPayment>(row));
  }
}

/** Keeps mixed case, which has a meaning in other spellings of addresses. */
function normalizeAddressOrHash(text: string): string {
  const isEither = /^(0x)?[0-9a-f]+$/i.test(text) || text === text.toUpperCase();
  return isEither ? text.toLowerCase() : text;
}
