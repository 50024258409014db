import { Injectable } from '@nestjs/common';
import {
  LEDGER_SUBSCRIBER,
  MOVEMENT_EVENT_TYPES,
} from '#contexts/ledger/infrastructure/subscribers/movement-event-types.js';
import { CustodyRecords } from '#contexts/payments/contract/chain-audit-results.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import { Database } from '#shared/platform/database/database.js';

/**
 * Custody at block $2 of network $1, for the assets $3. Includes events of types $5 that subscriber $4 has not posted
 * yet, because a busy system always has some.
 */
const SELECT_RECORDED_CUSTODY = `
SELECT asset, sum(amount) AS amount FROM (
  SELECT unique_asset_id AS asset, amount FROM ledger.public_custody
  UNION ALL
  SELECT e.data ->> 'uniqueAssetId', CASE e.type WHEN 'payment_request.confirmed' THEN (e.data ->> 'receivedAmount')::numeric
    WHEN 'payment_request.deposit_received' THEN (e.data ->> 'amount')::numeric
    WHEN 'payment_request.credit_reversed' THEN (e.data ->> 'after')::numeric - (e.data ->> 'before')::numeric
    WHEN 'settlement.status_changed' THEN ((e.data ->> 'amount')::numeric + (e.data ->> 'feeAmount')::numeric)
      * CASE e.data ->> 'status' WHEN 'processing' THEN -1 WHEN 'failed' THEN 1 ELSE 0 END END
  FROM platform.subscriber_positions p
  JOIN platform.events e ON e.transaction_id >= p.transaction_id
        AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
  WHERE p.subscriber = $4 AND e.type = ANY ($5::text[])
  UNION ALL
  SELECT unique_asset_id, CASE WHEN posted THEN -amount ELSE amount END FROM payments.public_standing_transfers
  WHERE network = $1 AND posted = (block_number > $2)
  UNION ALL
  SELECT p.unique_asset_id, CASE WHEN s.posted THEN p.to_settlement + p.to_fee ELSE - p.to_settlement - p.to_fee END
  FROM payments.public_payouts p
  CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM settlement.public_standing_settlements d
    WHERE d.payouts_id = p.group_id AND d.unique_asset_id = p.unique_asset_id) AS posted) s
  WHERE p.network = $1 AND s.posted <> (p.canonical AND p.block_number <= $2)) part
WHERE asset = ANY ($3::text[]) GROUP BY asset`;

/** Event type that changes custody although it is not in MOVEMENT_EVENT_TYPES. */
const SETTLEMENT_EVENT_TYPE: SettlementStatusChanged['type'] = 'settlement.status_changed';

@Injectable()
export class PostgresCustodyRecords extends CustodyRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async readAtBlock(
    network: string,
    blockNumber: number,
    assets: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.database.query<{ asset: string; amount: bigint }>(SELECT_RECORDED_CUSTODY, [
      ...[network, blockNumber, assets],
      ...[LEDGER_SUBSCRIBER, [...MOVEMENT_EVENT_TYPES, SETTLEMENT_EVENT_TYPE]],
    ]);
    return new Map(rows.map(({ asset, amount }) => [asset, amount]));
  }
}
