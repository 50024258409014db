import type { Invariant } from '../../../../../shared/kernel/invariant.js';

export const batchInvariants: Invariant[] = [
  {
    name: 'settlement-batches-have-their-payouts',
    promise: 'A batch has as many payouts as it says.',
    breaches: `SELECT b.id FROM settlement.batches b LEFT JOIN settlement.batch_payouts p ON p.batch_id = b.id
      GROUP BY b.id HAVING b.payout_count <> count(p.batch_id)`,
  },
  {
    name: 'settlement-batches-share-no-address',
    promise: 'No asset of an address is part of two batches that are open.',
    breaches: `SELECT b.network, p.address, p.unique_asset_id FROM settlement.batches b
      JOIN settlement.batch_payouts p ON p.batch_id = b.id WHERE b.state IN ('chosen', 'sent', 'delivered')
      GROUP BY b.network, p.address, p.unique_asset_id HAVING count(*) > 1`,
  },
];
