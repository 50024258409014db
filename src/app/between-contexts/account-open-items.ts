import { Injectable } from '@nestjs/common';
import {
  MerchantAccountDeletionBlockers,
  type DeletionBlockerCounts,
} from '#contexts/identity/contract/merchant-account-deletion-blockers.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import { SOURCE_EVENT_TYPES } from '#contexts/ledger/infrastructure/subscribers/source-event-types.js';
import {
  LEDGER_SUBSCRIBER,
  MOVEMENT_EVENT_TYPES,
} from '#contexts/ledger/infrastructure/subscribers/movement-event-types.js';
import { Database } from '#shared/platform/database/database.js';

/**
 * Open payments, refunds and unsettled assets that prevent the deletion of account $2 of organization $1. $3: the
 * ledger's subscriber, $4: its event types.
 */
const SELECT_OPEN_BUSINESS = `
SELECT
  (SELECT count(*)::integer FROM payments.public_open_requests
   WHERE organization_id = $1 AND account_id = $2) AS open_payment_requests,
  (SELECT count(*)::integer FROM payments.public_active_links l
   JOIN point_of_sale.public_point_of_sale_versions p ON p.id = l.point_of_sale_id
   WHERE p.organization_id = $1 AND p.account_id = $2) AS active_payment_links,
  (SELECT count(*)::integer FROM webhooks.public_active_webhooks
   WHERE organization_id = $1 AND account_id = $2) AS active_webhooks,
  (SELECT count(*)::integer FROM subscriptions.public_open_subscriptions
   WHERE organization_id = $1 AND account_id = $2) AS open_subscriptions,
  (SELECT count(*)::integer FROM settlement.public_open_refunds
   WHERE organization_id = $1 AND account_id = $2) AS open_refunds,
  (SELECT count(*)::integer FROM settlement.public_open_float_withdrawals
   WHERE organization_id = $1 AND account_id = $2) AS open_float_withdrawals,
  ARRAY(
    SELECT unique_asset_id FROM ledger.public_account_custody WHERE organization_id = $1 AND account_id = $2
    UNION
    SELECT e.data ->> 'uniqueAssetId' FROM platform.subscriber_positions p
    JOIN platform.events e ON e.transaction_id >= p.transaction_id
        AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
    WHERE p.subscriber = $3 AND e.type = ANY ($4::text[]) AND e.organization_id = $1 AND e.account_id = $2
    UNION
    SELECT unique_asset_id FROM payments.public_unposted_transfers WHERE organization_id = $1 AND account_id = $2
    UNION
    SELECT unique_asset_id FROM payments.public_payouts
    WHERE organization_id = $1 AND account_id = $2 AND canonical AND NOT final
    UNION
    SELECT unique_asset_id FROM settlement.public_standing_settlements
    WHERE organization_id = $1 AND account_id = $2 AND status = 'processing'
    ORDER BY 1) AS unsettled_assets`;

@Injectable()
export class PostgresAccountOpenItems extends MerchantAccountDeletionBlockers {
  constructor(private readonly database: Database) {
    super();
  }

  async readOpenItems(account: AccountScope): Promise<DeletionBlockerCounts> {
    const [open] = await this.database.queryInTransaction<DeletionBlockerCounts>(
      SELECT_OPEN_BUSINESS,
      scopeParameters(account),
    );
    return open!;
  }

  async previewOpenItems(account: AccountScope): Promise<DeletionBlockerCounts> {
    const [open] = await this.database.query<DeletionBlockerCounts>(
      SELECT_OPEN_BUSINESS,
      scopeParameters(account),
    );
    return open!;
  }
}

function scopeParameters({ organizationId, accountId }: AccountScope): unknown[] {
  return [organizationId, accountId, LEDGER_SUBSCRIBER, [...MOVEMENT_EVENT_TYPES, ...SOURCE_EVENT_TYPES]];
}
