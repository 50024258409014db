import { canonicalAddressSql } from '#contexts/networks/contract/address-spelling.js';
import type { Invariant } from '#shared/kernel/invariant.js';

export const batchInvariants: Invariant[] = [
  {
    name: 'settlement-batches-have-their-payouts',
    promise: 'Each settlement batch has the number of payouts that it records.',
    breaches: `SELECT b.id FROM settlement.batches b LEFT JOIN settlement.batch_payouts p ON p.batch_id = b.id
      GROUP BY b.id HAVING b.payout_count <> count(p.batch_id)`,
  },
  {
    name: 'settlement-batches-share-no-address',
    promise: 'No asset of an address is part of two open batches.',
    breaches: `SELECT b.network, p.address, p.unique_asset_id FROM settlement.batches b
      JOIN settlement.batch_payouts p ON p.batch_id = b.id WHERE b.state IN ('chosen', 'sent', 'delivered')
      GROUP BY b.network, p.address, p.unique_asset_id HAVING count(*) > 1`,
  },
  {
    name: 'settlements-are-sent-as-chosen',
    promise:
      'Each settlement transaction is the call of one batch and sends no native coin, and the batch has the final ' +
      'state of the transaction. A transaction adopted from the chain may have no batch.',
    breaches: `SELECT COALESCE(b.id, s.id) AS id, b.state, s.state AS sending
      FROM settlement.batches b
      FULL JOIN (SELECT * FROM networks.public_sendings WHERE purpose = 'settlement') s ON s.id = b.id
      WHERE NOT (b.id IS NULL AND s.adopted) AND CASE WHEN s.id IS NULL THEN b.state NOT IN ('chosen', 'abandoned')
        ELSE (b.network, ${canonicalAddressSql('b.sender')}, ${canonicalAddressSql('b.recipient')}, b.data, b.gas_limit, 0)
            IS DISTINCT FROM (s.network, s.sender, s.recipient, s.data, s.gas_limit, s.value)
          OR b.state IN ('final', 'reverted', 'foreign', 'cancelled') AND b.state <> s.state
          OR b.state IN ('final', 'reverted') AND b.transaction_hash IS DISTINCT FROM s.mined_hash END`,
  },
];
