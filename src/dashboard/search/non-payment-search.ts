import { Injectable } from '@nestjs/common';
import { isUuid, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type { NonPaymentHit } from './hit.js';

const MAX_HITS_PER_KIND = 20;

/** $1 organization, $2 id or null, $3 text, $4 text in lower case, as hashes are stored. Each part uses an index. */
export const FIND_NON_PAYMENTS = `
SELECT 'transaction' AS kind, id, status, created_at, payment_request_id::text AS parent, NULL AS reference
FROM ledger.public_transaction_records WHERE id = $2 AND organization_id = $1
UNION ALL SELECT 'settlement', id, status, created_at, transaction_hash, NULL
FROM settlement.public_settlement_records WHERE id = $2 AND organization_id = $1
UNION ALL (SELECT 'settlement', id, status, created_at, transaction_hash, NULL
  FROM settlement.public_settlement_records WHERE transaction_hash = $4 AND organization_id = $1 LIMIT ${MAX_HITS_PER_KIND})
UNION ALL SELECT 'refund', id, status, created_at, NULL, NULL
FROM settlement.public_refund_records WHERE id = $2 AND organization_id = $1
UNION ALL (SELECT 'refund', id, status, created_at, NULL, NULL
  FROM settlement.public_refund_records WHERE transaction_hash = $4 AND organization_id = $1 LIMIT ${MAX_HITS_PER_KIND})
UNION ALL SELECT 'webhook', id, NULL, created_at, NULL, NULL
FROM webhooks.public_registered_webhooks WHERE id = $2 AND organization_id = $1
UNION ALL (SELECT 'delivery', delivery_id, status, created_at, webhook_id::text, NULL
  FROM webhooks.public_delivery_attempts WHERE delivery_id = $2 AND organization_id = $1
  ORDER BY attempt DESC LIMIT 1)
UNION ALL SELECT 'link', id, NULL, created_at, NULL, code
FROM payments.public_payment_links WHERE id = $2 AND organization_id = $1
UNION ALL SELECT 'link', id, NULL, created_at, NULL, code
FROM payments.public_payment_links WHERE code = $3 AND organization_id = $1
UNION ALL (SELECT 'subscription', id, status, created_at, NULL, reference_id
  FROM subscriptions.public_subscription_records WHERE organization_id = $1 AND id IN (
    SELECT $2::uuid WHERE $2::uuid IS NOT NULL
    UNION SELECT id FROM subscriptions.public_subscription_records WHERE code = $3
    UNION SELECT id FROM subscriptions.public_subscription_records WHERE organization_id = $1 AND reference_id = $3
    UNION SELECT s.id FROM subscriptions.public_wallets w JOIN subscriptions.public_subscription_records s ON s.wallet_id = w.id
      WHERE w.organization_id = $1 AND w.external_id = $3)
  ORDER BY id DESC LIMIT ${MAX_HITS_PER_KIND})
UNION ALL (SELECT 'point_of_sale', id, NULL, NULL, NULL, name
  FROM point_of_sale.public_named_points_of_sale
  WHERE organization_id = $1 AND deleted_at IS NULL AND (id = $2 OR name = $3) LIMIT ${MAX_HITS_PER_KIND})
UNION ALL (SELECT 'account', id, NULL, NULL, NULL, name
  FROM identity.public_accounts
  WHERE organization_id = $1 AND deleted_at IS NULL AND (id = $2 OR external_id = $3 OR name = $3) LIMIT ${MAX_HITS_PER_KIND})`;

/** Searches the public views of contexts. */
@Injectable()
export class NonPaymentSearch {
  constructor(private readonly database: Database) {}

  async find(organization: OrganizationId, typed: string): Promise<NonPaymentHit[]> {
    const text = typed.trim();
    if (text === '') return [];
    const lower = text.toLowerCase();
    const values = [organization, isUuid(lower) ? lower : null, text, lower];
    return this.database.queryReplica<NonPaymentHit>(FIND_NON_PAYMENTS, values);
  }
}
