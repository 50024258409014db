import type { Invariant } from '#shared/kernel/invariant.js';

export const cursorInvariants: Invariant[] = [
  {
    name: 'cursors-are-of-stored-blocks',
    promise:
      'The head and the newest final block of each network have the timestamps of the stored blocks at their ' +
      'heights.',
    breaches: `SELECT c.network, c.head_number, c.final_number FROM payments.chain_cursors c
      LEFT JOIN payments.blocks h ON h.network = c.network AND h.number = c.head_number
      LEFT JOIN payments.blocks f ON f.network = c.network AND f.number = c.final_number
      WHERE c.head_time IS DISTINCT FROM h.time
        OR c.final_number IS NOT NULL AND c.final_time IS DISTINCT FROM f.time`,
  },
  {
    name: 'tags-are-of-confirmed-blocks',
    promise: 'A finalized block is safe, and a safe block has passed its confirmation read.',
    breaches: `SELECT network, final_number, safe_number, finalized_number FROM payments.chain_cursors
      WHERE finalized_number > safe_number OR safe_number > final_number`,
  },
  {
    name: 'block-times-follow-numbers',
    promise: 'No stored block has an earlier timestamp than its parent.',
    breaches: `SELECT network, number FROM (
        SELECT network, number, time, lag(time) OVER (PARTITION BY network ORDER BY number) AS before
        FROM payments.blocks) b WHERE time < before`,
  },
];

const EXPECTED_PAYOUTS_SEEN_SQL = `jsonb_build_object('network', p.network, 'transactionHash', p.transaction_hash, 'blockNumber', p.block_number,
  'blockHash', p.block_hash, 'from', p.from_address, 'payouts', jsonb_agg(jsonb_build_object(
    'paymentRequestId', a.payment_request_id, 'address', p.address, 'uniqueAssetId', p.unique_asset_id,
    'currency', p.currency, 'decimals', p.decimals, 'toSettlement', p.to_settlement::text, 'toFee', p.to_fee::text,
    'settlementAddress', CASE WHEN a.settlement_address ~ '^0x[0-9a-fA-F]{40}$' THEN lower(a.settlement_address)
      ELSE a.settlement_address END, 'feeBasisPoints', a.fee_basis_points) ORDER BY p.log_index))`;

export const payoutInvariants: Invariant[] = [
  {
    name: 'payouts-match-events',
    promise:
      'The payouts of an account in one transaction have exactly one event with all payouts and the terms of their ' +
      'addresses, one more when they are final, and one more if they disappear from the chain.',
    breaches: `WITH recorded AS (
        SELECT p.group_id, p.organization_id, p.account_id, p.canonical, p.final, ${EXPECTED_PAYOUTS_SEEN_SQL} AS data
        FROM payments.payouts p JOIN payments.known_addresses a
          USING (network, address, tag, payment_request_id, organization_id, account_id)
        GROUP BY p.group_id, p.organization_id, p.account_id, p.canonical, p.final, p.network, p.transaction_hash,
          p.block_number, p.block_hash, p.from_address),
      told AS (
        SELECT aggregate_id, organization_id, account_id,
          jsonb_agg(data) FILTER (WHERE type = 'payouts.seen') AS seen,
          jsonb_agg(data) FILTER (WHERE type = 'payouts.final') AS final,
          jsonb_agg(data) FILTER (WHERE type = 'payouts.removed') AS removed
        FROM platform.events WHERE type IN ('payouts.seen', 'payouts.final', 'payouts.removed') GROUP BY 1, 2, 3)
      SELECT COALESCE(r.group_id, t.aggregate_id) AS group_id
      FROM recorded r FULL JOIN told t ON t.aggregate_id = r.group_id
      WHERE (t.organization_id, t.account_id, t.seen, t.final, t.removed) IS DISTINCT FROM
        (r.organization_id, r.account_id, jsonb_build_array(r.data),
          CASE WHEN r.final THEN jsonb_build_array(jsonb_build_object('network', r.data ->> 'network')) END,
          CASE WHEN NOT r.canonical THEN jsonb_build_array(jsonb_build_object(
            'network', r.data ->> 'network', 'wereFinal', r.final)) END)`,
  },
  {
    name: 'payouts-stand-in-read-blocks',
    promise:
      'Each canonical payout is in the block that was read at its height, and is final only if the chain has finalized that block.',
    breaches: `SELECT p.network, p.transaction_hash, p.log_index FROM payments.payouts p
      LEFT JOIN payments.chain_cursors c ON c.network = p.network
      LEFT JOIN payments.blocks b ON b.network = p.network AND b.number = p.block_number
      WHERE p.canonical AND (b.hash <> p.block_hash OR (p.block_number <= c.head_number) IS NOT TRUE
        OR p.final AND (p.block_number <= c.finalized_number) IS NOT TRUE)`,
  },
  {
    name: 'one-payout-for-each-log',
    promise: 'No transaction log belongs to two payouts.',
    breaches: `SELECT network, transaction_hash, log_index FROM payments.payouts WHERE canonical
      GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  },
];
