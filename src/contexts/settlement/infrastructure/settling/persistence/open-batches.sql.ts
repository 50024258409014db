/** Address and asset of each payout of network $1 that is part of an open batch. */
export const IN_OPEN_BATCHES = `SELECT p.address, p.unique_asset_id FROM settlement.batches o
  JOIN settlement.batch_payouts p ON p.batch_id = o.id
  WHERE o.network = $1 AND o.state IN ('chosen', 'sent', 'delivered')`;
