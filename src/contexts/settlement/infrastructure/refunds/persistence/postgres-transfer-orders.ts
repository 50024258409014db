import { canonicalAddressSql } from '#contexts/networks/contract/address-spelling.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { type TransferOrder, TransferOrders } from '#contexts/networks/contract/transfer-orders.js';

/**
 * A withdrawal is revoked once another settlement address is in force. Rows of the event log cannot be changed, so
 * they prove the order: one event must have ordered the payout, and none may contradict it.
 */
const SELECT_ORDERED_TRANSFERS = `
SELECT CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'float_withdrawal' END AS purpose, p.network,
  p.organization_id, f.address AS "from", p.to_address AS "to", p.unique_asset_id, p.amount,
  p.kind <> 'refund' AND NOT EXISTS (SELECT FROM point_of_sale.public_organization_addresses a
    WHERE (a.organization_id, a.network, ${canonicalAddressSql('a.settlement_address')}) = (p.organization_id, p.network, p.to_address)) AS is_revoked
FROM settlement.refund_float_payouts p
JOIN settlement.refund_floats f
  ON (f.id, f.organization_id, f.network) = (p.float_id, p.organization_id, p.network)
CROSS JOIN LATERAL (
  SELECT bool_or((e.data ->> 'status', e.data ->> 'to', e.data ->> 'from') = ('processing', p.to_address, f.address)) AS ordered,
    bool_or((e.organization_id, e.account_id, e.data ->> 'network', e.data ->> 'uniqueAssetId', e.data ->> 'amount')
        IS DISTINCT FROM (p.organization_id, p.account_id, p.network, p.unique_asset_id, p.amount::text)
      OR COALESCE(e.data ->> 'to', p.to_address) <> p.to_address
      OR e.data ->> 'status' NOT IN ('pending', 'processing')) AS contradicted
  FROM platform.events e WHERE e.aggregate_id = p.id AND e.type = CASE p.kind
    WHEN 'refund' THEN 'refund.status_changed' ELSE 'refund_float.withdrawal_status_changed' END) event
WHERE COALESCE(p.sending_id, p.id) = $1 AND p.status = 'processing' AND event.ordered AND NOT event.contradicted
  AND CASE p.kind
  WHEN 'refund' THEN EXISTS (SELECT FROM settlement.refunds r WHERE (r.id, r.organization_id, r.network, r.unique_asset_id,
      r.amount, r.to_address, r.float_address, r.status)
    = (p.id, p.organization_id, p.network, p.unique_asset_id, p.amount, p.to_address, f.address, 'processing'))
  ELSE EXISTS (SELECT FROM point_of_sale.public_settlement_terms t WHERE t.account_id IS NULL
    AND (t.organization_id, t.network, ${canonicalAddressSql('t.settlement_address')}) = (p.organization_id, p.network, p.to_address)) END`;

@Injectable()
export class PostgresTransferOrders extends TransferOrders {
  constructor(private readonly database: Database) {
    super();
  }

  async find(id: string): Promise<TransferOrder | null> {
    const [transfer] = await this.database.query<TransferOrder>(SELECT_ORDERED_TRANSFERS, [id]);
    return transfer ?? null;
  }
}
