import type { ChainAudit } from '../../contexts/payments/application/watching/audit-chain.js';
import type { Database } from '../../shared/platform/database/database.js';

/** Custody of an asset that the ledger and a network's addresses do not agree on. */
export interface CustodyDifference {
  readonly asset: string;
  readonly block: number;
  /** What custody comes to at that block. */
  readonly ledger: string;
  /** What the addresses hold there, and what they paid out. */
  readonly chain: string;
}

/**
 * The ledger's custody against what an audit found that a network's addresses hold at its block. Custody is of now: what
 * was posted from later blocks is taken off, and what stands in the chain by then and is not posted is put to it.
 */
export async function custodyDifferences(
  database: Database,
  { block, held }: ChainAudit,
): Promise<CustodyDifference[]> {
  if (block === null) return [];
  const rows = await database.query<{ asset: string; ledger: string }>(
    `SELECT asset, COALESCE(c.amount, 0) + COALESCE(t.amount, 0) AS ledger
     FROM (SELECT unique_asset_id AS asset,
         sum(CASE WHEN posted AND block_number > $2 THEN -amount WHEN NOT posted AND block_number <= $2 THEN amount ELSE 0 END)
           AS amount
       FROM payments.public_standing_transfers WHERE network = $1 GROUP BY unique_asset_id) t
     FULL JOIN (SELECT unique_asset_id AS asset, amount FROM ledger.public_custody
       WHERE unique_asset_id = ANY ($3::text[])) c USING (asset)`,
    [block.network, block.number, [...held.keys()]],
  );
  return rows
    .map(({ asset, ledger }) => ({ asset, ledger, chain: (held.get(asset) ?? 0n).toString() }))
    .filter(({ ledger, chain }) => ledger !== chain)
    .map((difference) => ({ ...difference, block: block.number }));
}
