import { Injectable } from '@nestjs/common';
import { DownstreamRecords, type DownstreamRecord } from '#contexts/payments/contract/downstream-records.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';

const MAX_ATTEMPTS_SHOWN = 50;

const MONEY_COLUMNS = 'amount, currency, decimals, transaction_hash';
const EMPTY_ATTEMPT_COLUMNS =
  'NULL::uuid AS delivery_id, NULL::int AS attempt, NULL::int AS http_status, NULL::text AS error, NULL::timestamptz AS next_attempt_at, NULL AS actor';
const SELECT_TRANSACTIONS = `SELECT 'transaction' AS kind, id, created_at AS at, present_status AS status, type, gross_amount AS amount, currency,
    decimals::int, transaction_hash, ${EMPTY_ATTEMPT_COLUMNS}
  FROM ledger.public_transaction_records WHERE organization_id = $1`;

/** $1 organization, $2 payment request. The conditions on ledger transactions match partial indexes. */
const SELECT_LATER_RECORDS = `
WITH refunds AS (
  SELECT * FROM settlement.public_refund_records WHERE organization_id = $1 AND payment_request_id = $2)
SELECT * FROM (
  ${SELECT_TRANSACTIONS} AND payment_request_id = $2 AND type = 'payment_in'
  UNION ALL ${SELECT_TRANSACTIONS} AND payment_request_id = $2 AND type IN ('deposit', 'adjustment')
  UNION ALL ${SELECT_TRANSACTIONS} AND source_id IN (SELECT id FROM refunds)
  UNION ALL SELECT 'refund', id, created_at, status, NULL, ${MONEY_COLUMNS}, ${EMPTY_ATTEMPT_COLUMNS} FROM refunds
  UNION ALL SELECT 'settlement', id, created_at, status, NULL, ${MONEY_COLUMNS}, ${EMPTY_ATTEMPT_COLUMNS}
    FROM settlement.public_settlement_records WHERE organization_id = $1 AND id IN (
      SELECT settlement_id FROM settlement.public_settled_requests WHERE payment_request_id = $2)
  UNION ALL (SELECT 'webhook', d.webhook_id, d.created_at, d.status, d.event_type, NULL, NULL, NULL, NULL, d.delivery_id, d.attempt,
      d.http_status, d.error, d.next_attempt_at, NULL
    FROM platform.events e JOIN webhooks.public_delivery_attempts d ON d.event_id = e.id
    WHERE (e.aggregate_id = $2 OR e.aggregate_id IN (SELECT id FROM refunds)) AND d.organization_id = $1
    ORDER BY d.created_at DESC LIMIT ${MAX_ATTEMPTS_SHOWN})
  UNION ALL SELECT 'acceptance', subject_id, at, 'completed', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, actor
    FROM identity.public_audit_log
    WHERE organization_id = $1 AND subject_id = $2 AND action = 'payment_request.accepted_as_paid'
) record ORDER BY at, kind, id`;

@Injectable()
export class PostgresDownstreamRecords extends DownstreamRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async findByRequest(organization: OrganizationId, id: PaymentRequestId): Promise<DownstreamRecord[]> {
    const rows = await this.database.query<RowOf<DownstreamRecord>>(SELECT_LATER_RECORDS, [organization, id]);
    return rows.map(withoutNulls);
  }
}
