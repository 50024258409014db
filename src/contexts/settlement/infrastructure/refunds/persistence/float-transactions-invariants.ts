import { canonicalAddressSql } from '#contexts/networks/contract/address-spelling.js';
import type { Invariant } from '#shared/kernel/invariant.js';

const PAYOUTS_WITH_CALL = `SELECT o.*, f.address FROM settlement.refund_float_payouts o
  JOIN settlement.refund_floats f ON f.id = o.float_id WHERE o.call_to IS NOT NULL`;

/**
 * Excludes a transaction that an operator adopted without a payout (its amount is missing in the float), and one
 * whose nonce was used by another transaction that pays the payout.
 */
const FLOAT_SENDINGS = `SELECT * FROM networks.public_sendings n WHERE (purpose IN ('refund', 'float_withdrawal')
  OR key LIKE 'float:%' OR sender IN (SELECT address FROM settlement.refund_floats))
  AND NOT (adopted AND purpose = 'unknown')
  AND NOT (state = 'foreign' AND EXISTS (SELECT FROM settlement.refund_float_payouts o
    WHERE o.id = n.id AND o.sending_id IS NOT NULL))`;

/** The token returned `false`: the transaction succeeded, but the funds are still in the float. */
const TOKENS_NOT_MOVED_FAILURE = `'% did not transfer the amount, though its transaction is final.'`;

const ORDER_EVENT_TYPES = `('refund.status_changed', 'refund_float.withdrawal_status_changed')`;

export const floatTransactionsInvariants: Invariant[] = [
  {
    name: 'floats-send-what-was-ordered',
    promise:
      'Each outbound transaction from a refund float belongs to one payout, and has the float, key, purpose and ' +
      'call of that payout.',
    breaches: `SELECT COALESCE(p.id, s.id) AS id, s.sender, s.recipient, p.call_to
      FROM (${PAYOUTS_WITH_CALL}) p FULL JOIN (${FLOAT_SENDINGS}) s ON s.id = COALESCE(p.sending_id, p.id)
      WHERE CASE WHEN s.id IS NULL THEN p.sent_at IS NOT NULL
        ELSE (p.network, p.address, 'float:' || p.organization_id,
            CASE p.kind WHEN 'refund' THEN 'refund' ELSE 'float_withdrawal' END,
            p.call_to, p.call_data, p.call_value)
          IS DISTINCT FROM (s.network, s.sender, s.key, s.purpose, s.recipient, s.data, s.value) END`,
  },
  {
    name: 'float-payouts-end-as-mined',
    promise:
      'A completed payout from a refund float has the hash, block and gas of its final outbound transaction. No ' +
      'payout is marked failed if its outbound transaction may have paid.',
    breaches: `SELECT p.id, p.status, s.state FROM settlement.refund_float_payouts p
      LEFT JOIN networks.public_sendings s ON s.id = COALESCE(p.sending_id, p.id)
      WHERE p.status = 'completed' AND (s.state, s.mined_hash, s.mined_block, COALESCE(s.gas_cost, 0))
          IS DISTINCT FROM ('final', p.transaction_hash, p.block_number, p.gas)
        OR p.status = 'failed' AND s.state IN ('reserved', 'signed', 'broadcast', 'mined', 'final')
          AND NOT (s.state = 'final' AND p.transaction_hash IS NOT DISTINCT FROM s.mined_hash
            AND COALESCE(p.failure, '') LIKE ${TOKENS_NOT_MOVED_FAILURE})`,
  },
  {
    name: 'float-payouts-have-transactions-of-their-own',
    promise: 'No transaction pays two payouts from refund floats.',
    breaches: `SELECT network, transaction_hash, count(*) AS payouts FROM settlement.refund_float_payouts
      WHERE transaction_hash IS NOT NULL GROUP BY network, transaction_hash HAVING count(*) > 1`,
  },
  {
    name: 'orders-of-floats-never-change',
    promise:
      'All events of a refund or withdrawal report the same asset, amount, owner, address and float. Each status ' +
      'occurs once and in order.',
    breaches: `SELECT e.aggregate_id AS id, e.type FROM platform.events e WHERE e.type IN ${ORDER_EVENT_TYPES}
      GROUP BY e.aggregate_id, e.type
      HAVING count(DISTINCT (e.organization_id, e.account_id, e.data ->> 'network', e.data ->> 'uniqueAssetId',
          e.data ->> 'amount')) > 1
        OR count(DISTINCT e.data ->> 'to') > 1
        OR count(DISTINCT e.data ->> 'from') FILTER (WHERE e.data ->> 'status' IN ('processing', 'completed')) > 1
        OR count(*) <> count(DISTINCT e.data ->> 'status')
        OR count(*) FILTER (WHERE e.data ->> 'status' IN ('completed', 'failed')) > 1
        OR bool_or(e.data ->> 'status' = 'completed') AND NOT bool_or(e.data ->> 'status' = 'processing')`,
  },
  {
    name: 'withdrawal-events-tell-their-withdrawal',
    promise:
      'The last event of each withdrawal from a refund float reports its status, amount, address and transaction.',
    breaches: `SELECT COALESCE(p.id, e.aggregate_id) AS id
      FROM (SELECT o.*, f.address FROM settlement.refund_float_payouts o
        JOIN settlement.refund_floats f ON f.id = o.float_id WHERE o.kind = 'withdrawal') p
      FULL JOIN (SELECT DISTINCT ON (aggregate_id) aggregate_id, organization_id, account_id, data FROM platform.events
        WHERE type = 'refund_float.withdrawal_status_changed' ORDER BY aggregate_id, position DESC) e
        ON e.aggregate_id = p.id
      WHERE (p.id, p.organization_id, p.account_id, p.status, p.amount, p.unique_asset_id, p.network, p.address,
          p.to_address, p.transaction_hash)
        IS DISTINCT FROM (e.aggregate_id, e.organization_id, e.account_id, e.data ->> 'status',
          (e.data ->> 'amount')::numeric, e.data ->> 'uniqueAssetId', e.data ->> 'network', e.data ->> 'from',
          e.data ->> 'to', e.data ->> 'transactionHash')`,
  },
  {
    name: 'withdrawals-go-to-settlement-addresses',
    promise:
      'Each withdrawal from a refund float goes to an address in the settlement terms of its organization.',
    breaches: `SELECT p.id, p.to_address FROM settlement.refund_float_payouts p WHERE p.kind = 'withdrawal'
      AND NOT EXISTS (SELECT FROM point_of_sale.public_settlement_terms t WHERE t.organization_id = p.organization_id
        AND t.account_id IS NULL AND t.network = p.network AND ${canonicalAddressSql('t.settlement_address')} = p.to_address)`,
  },
  {
    name: 'refunded-sums-were-received',
    promise:
      'The refundable amount of an asset never exceeds the amount that the payment request received according to ' +
      'its events.',
    breaches: `SELECT s.payment_request_id, s.unique_asset_id, s.received FROM settlement.refunded_sums s
      WHERE s.received > (SELECT COALESCE(sum(CASE e.type WHEN 'payment_request.confirmed'
            THEN (e.data ->> 'receivedAmount')::numeric ELSE (e.data ->> 'amount')::numeric END), 0)
          FROM platform.events e WHERE e.aggregate_id = s.payment_request_id
            AND e.type IN ('payment_request.confirmed', 'payment_request.deposit_received')
            AND e.data ->> 'uniqueAssetId' = s.unique_asset_id)`,
  },
  {
    name: 'reversed-payments-are-not-refunded',
    promise:
      'After a payment is reversed, no newly signed refund raises the total of signed refunds above the amount that ' +
      'the payment request still has.',
    // A reversal that commits while a nonce is reserved may have an earlier timestamp. Refunds adopted from the chain
    // had already been paid.
    breaches: `WITH signed AS (
        SELECT r.id, r.payment_request_id, r.unique_asset_id, r.amount, COALESCE(p.sent_at, r.approved_at) AS at,
          COALESCE(s.adopted, false) AS adopted
        FROM settlement.refunds r LEFT JOIN settlement.refund_float_payouts p ON p.id = r.id
        LEFT JOIN networks.public_sendings s ON s.id = COALESCE(p.sending_id, p.id)
        WHERE r.status <> 'failed' AND (r.paid_by = 'merchant' OR p.sent_at IS NOT NULL) AND r.payment_request_id IN
          (SELECT aggregate_id FROM platform.events WHERE type = 'payment_request.credit_reversed'))
      SELECT s.id, s.payment_request_id FROM signed s
      CROSS JOIN LATERAL (SELECT sum(amount) AS amount FROM signed o
        WHERE (o.payment_request_id, o.unique_asset_id) = (s.payment_request_id, s.unique_asset_id) AND o.at <= s.at) refunded
      CROSS JOIN LATERAL (SELECT
          sum(CASE e.type WHEN 'payment_request.confirmed' THEN (e.data ->> 'receivedAmount')::numeric
            WHEN 'payment_request.deposit_received' THEN (e.data ->> 'amount')::numeric
            ELSE (e.data ->> 'after')::numeric - (e.data ->> 'before')::numeric END) AS amount,
          bool_or(e.type = 'payment_request.credit_reversed') AS reversed
        FROM platform.events e WHERE e.aggregate_id = s.payment_request_id AND e.data ->> 'uniqueAssetId' = s.unique_asset_id
          AND e.type IN ('payment_request.confirmed', 'payment_request.deposit_received', 'payment_request.credit_reversed')
          AND e.occurred_at <= s.at - CASE e.type WHEN 'payment_request.credit_reversed' THEN interval '1 minute'
            ELSE interval '0' END) received
      WHERE NOT s.adopted AND received.reversed AND refunded.amount > received.amount`,
  },
];
