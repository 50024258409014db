import type { Invariant } from '#shared/kernel/invariant.js';
import {
  IS_VALID_SETTLEMENT_LINK,
  IS_REFUND_BY_MERCHANT,
  IS_SETTLEMENT,
} from './transaction-selection.sql.js';

/** Joins `n`: current status and hash of the transaction `t`. */
const JOIN_CURRENT_STATUS = `LEFT JOIN LATERAL (SELECT c.status, c.transaction_hash FROM ledger.status_changes c
    WHERE c.transaction_id = t.id ORDER BY c.step DESC LIMIT 1) changed ON true
  CROSS JOIN LATERAL (SELECT COALESCE(changed.status, t.status) AS status,
    COALESCE(changed.transaction_hash, t.transaction_hash) AS hash) n`;

const IS_FROM_FLOAT = `t.type IN ('refund', 'withdraw') AND t.from_type = 'wallet'`;
const IS_TOP_UP = `t.type = 'deposit' AND t.source_id IS NOT NULL`;

const bookedSum = (account: string) =>
  `COALESCE(sum(e.amount) FILTER (WHERE e.ledger_account = '${account}'), 0)`;

/** Net amounts of the linked transactions if they cover the payout fully, otherwise gross minus fee. */
const AMOUNT_OWED = `(COALESCE((SELECT sum(b.net_amount) FROM ledger.settled_transactions l
    JOIN ledger.transactions b ON b.id = l.transaction_id
    LEFT JOIN ledger.uncovered_payouts u ON u.withdrawal_id = l.withdrawal_id
      AND u.payment_request_id = b.payment_request_id AND u.address = lower(b.to_address) AND u.amount > 0
    WHERE l.withdrawal_id = t.id AND u.withdrawal_id IS NULL), 0)
  + COALESCE((SELECT sum(u.gross_amount - div(u.gross_amount * u.fee_basis_points, 10000)) FROM ledger.uncovered_payouts u
    WHERE u.withdrawal_id = t.id AND u.amount > 0), 0))`;

export const sourceTransactionsInvariants: Invariant[] = [
  {
    name: 'ledger-in-flight-is-under-way',
    promise:
      'The in-flight amount of each account and asset equals the gross amount of its processing settlements.',
    breaches: `SELECT account_id, unique_asset_id, b.amount AS in_flight, t.amount AS processing
      FROM (SELECT organization_id, account_id, unique_asset_id, amount FROM ledger.balances
        WHERE ledger_account = 'in_flight') b
      FULL JOIN (SELECT t.organization_id, t.account_id, t.unique_asset_id, sum(t.gross_amount) AS amount
        FROM ledger.transactions t ${JOIN_CURRENT_STATUS} WHERE ${IS_SETTLEMENT} AND n.status = 'processing'
        GROUP BY t.organization_id, t.account_id, t.unique_asset_id) t USING (organization_id, account_id, unique_asset_id)
      WHERE COALESCE(b.amount, 0) <> COALESCE(t.amount, 0)`,
  },
  {
    name: 'ledger-floats-are-what-came',
    promise:
      'For each account and asset, the float balance plus the gas spent equals the top-ups minus completed refunds ' +
      'and withdrawals.',
    breaches: `SELECT account_id, unique_asset_id, b.amount AS stands, t.amount AS came
      FROM (SELECT organization_id, account_id, unique_asset_id, sum(amount) AS amount FROM ledger.balances
        WHERE ledger_account IN ('refund_float', 'gas_spent') GROUP BY organization_id, account_id, unique_asset_id) b
      FULL JOIN (SELECT t.organization_id, t.account_id, t.unique_asset_id,
          sum(CASE WHEN ${IS_TOP_UP} THEN t.gross_amount WHEN n.status = 'completed' THEN -t.gross_amount ELSE 0 END) AS amount
        FROM ledger.transactions t ${JOIN_CURRENT_STATUS} WHERE ${IS_TOP_UP} OR ${IS_FROM_FLOAT}
        GROUP BY t.organization_id, t.account_id, t.unique_asset_id) t USING (organization_id, account_id, unique_asset_id)
      WHERE COALESCE(b.amount, 0) <> COALESCE(t.amount, 0)`,
  },
  {
    name: 'ledger-settlement-entries',
    promise:
      'The journal entries of each withdraw match its status: in flight while it is processing, delivered to the ' +
      'merchant and the fee recipient when it is completed, and zero in total if it failed.',
    breaches: `SELECT t.id FROM ledger.transactions t ${JOIN_CURRENT_STATUS}
      LEFT JOIN ledger.entries e ON e.transaction_id = t.id
      WHERE ${IS_SETTLEMENT} GROUP BY t.id, n.status
      HAVING ${bookedSum('custody')} <> CASE n.status WHEN 'failed' THEN 0 ELSE -t.gross_amount END
        OR ${bookedSum('in_flight')} <> CASE n.status WHEN 'processing' THEN t.gross_amount ELSE 0 END
        OR ${bookedSum('fees_delivered')} <> CASE n.status WHEN 'completed' THEN t.gross_amount - t.net_amount ELSE 0 END
        OR ${bookedSum('merchant_payable')} <> CASE n.status WHEN 'completed' THEN ${AMOUNT_OWED} ELSE 0 END
        OR ${bookedSum('service_fees')} <> 0 OR ${bookedSum('refund_float')} <> 0 OR ${bookedSum('gas_spent')} <> 0
        OR count(*) FILTER (WHERE e.unique_asset_id <> t.unique_asset_id) > 0`,
  },
  {
    name: 'ledger-float-entries',
    promise:
      'In the journal, each top-up is owed to the merchant, each completed refund and float withdrawal is paid, and ' +
      'its gas is spent from the float.',
    breaches: `SELECT t.id, e.unique_asset_id FROM ledger.transactions t ${JOIN_CURRENT_STATUS}
      LEFT JOIN ledger.entries e ON e.transaction_id = t.id
      CROSS JOIN LATERAL (SELECT CASE WHEN ${IS_TOP_UP} THEN -t.gross_amount WHEN n.status = 'completed' THEN t.gross_amount
        ELSE 0 END AS paid) p
      WHERE ${IS_TOP_UP} OR ${IS_FROM_FLOAT} GROUP BY t.id, e.unique_asset_id, p.paid
      HAVING ${bookedSum('merchant_payable')} <> CASE WHEN e.unique_asset_id = t.unique_asset_id THEN p.paid ELSE 0 END
        OR ${bookedSum('refund_float')} + ${bookedSum('gas_spent')}
          <> CASE WHEN e.unique_asset_id = t.unique_asset_id THEN -p.paid ELSE 0 END
        OR ${bookedSum('gas_spent')} < 0
        OR ${bookedSum('custody')} <> 0 OR ${bookedSum('in_flight')} <> 0 OR ${bookedSum('delivered')} <> 0
        OR ${bookedSum('fees_delivered')} <> 0 OR ${bookedSum('service_fees')} <> 0 OR ${bookedSum('rounding')} <> 0
      UNION ALL
      SELECT t.id, NULL FROM ledger.transactions t ${JOIN_CURRENT_STATUS}
      WHERE (${IS_TOP_UP} OR ${IS_FROM_FLOAT} AND n.status = 'completed') AND NOT EXISTS (SELECT FROM ledger.entries e
        WHERE e.transaction_id = t.id AND e.unique_asset_id = t.unique_asset_id)`,
  },
  {
    name: 'ledger-merchant-refund-entries',
    promise:
      'In the journal, each completed refund from the merchant’s own wallet is paid from the amount delivered to ' +
      'that wallet.',
    breaches: `SELECT t.id FROM ledger.transactions t ${JOIN_CURRENT_STATUS}
      LEFT JOIN ledger.entries e ON e.transaction_id = t.id AND e.unique_asset_id = t.unique_asset_id
      CROSS JOIN LATERAL (SELECT CASE n.status WHEN 'completed' THEN t.gross_amount ELSE 0 END AS paid) p
      WHERE ${IS_REFUND_BY_MERCHANT} GROUP BY t.id, p.paid
      HAVING ${bookedSum('merchant_payable')} <> p.paid OR ${bookedSum('delivered')} <> -p.paid
        OR (SELECT count(*) FROM ledger.entries l WHERE l.transaction_id = t.id) <> CASE p.paid WHEN 0 THEN 0 ELSE 2 END`,
  },
  {
    name: 'ledger-statuses-follow',
    promise:
      'The statuses of a withdraw or refund are numbered without gaps, follow the allowed transitions, never go ' +
      'back in time, and have the numbers and owner of their transaction.',
    breaches: `SELECT s.transaction_id AS id, s.step FROM (
        SELECT c.*, lag(c.step, 1, 1::smallint) OVER w AS step_before, lag(c.status, 1, 'processing') OVER w AS status_before,
          lag(c.at) OVER w AS at_before
        FROM ledger.status_changes c WINDOW w AS (PARTITION BY c.transaction_id ORDER BY c.step)) s
      JOIN ledger.transactions t ON t.id = s.transaction_id
      WHERE s.step <> s.step_before + 1 OR s.at < COALESCE(s.at_before, t.created_at)
        OR (s.status_before, s.status) NOT IN (('processing', 'completed'), ('processing', 'failed'), ('completed', 'failed'))
        OR t.type NOT IN ('withdraw', 'refund')
        OR (s.organization_id, s.account_id, s.organization_sequence, s.account_sequence)
          <> (t.organization_id, t.account_id, t.organization_sequence, t.account_sequence)`,
  },
  {
    name: 'ledger-links-are-of-one-settlement',
    promise:
      'Each transaction linked to a settlement belongs to a deposit address and has the account and asset of the ' +
      'settlement. It is linked to at most one settlement that has not failed.',
    breaches: `SELECT l.transaction_id AS id, l.settlement_id FROM ledger.settled_transactions l
      JOIN ledger.transactions b ON b.id = l.transaction_id JOIN ledger.transactions t ON t.id = l.withdrawal_id
      WHERE NOT (${IS_SETTLEMENT}) OR t.source_id <> l.settlement_id
        OR b.type NOT IN ('payment_in', 'deposit', 'adjustment') OR b.payment_request_id IS NULL
        OR (b.organization_id, b.account_id, b.unique_asset_id) <> (t.organization_id, t.account_id, t.unique_asset_id)
        OR (l.organization_id, l.account_id) <> (t.organization_id, t.account_id)
      UNION ALL
      SELECT l.transaction_id, NULL FROM ledger.settled_transactions l WHERE ${IS_VALID_SETTLEMENT_LINK}
      GROUP BY l.transaction_id HAVING count(*) > 1`,
  },
  {
    name: 'ledger-payouts-are-covered',
    promise:
      'The amount that a settlement took from an address equals the linked transactions plus the amount recorded as ' +
      'not yet booked.',
    breaches: `WITH payouts AS (
        SELECT t.id, n.status, (a ->> 'paymentRequestId')::uuid AS request, lower(a ->> 'address') AS address,
          sum((a ->> 'toSettlement')::numeric + (a ->> 'toFee')::numeric) AS gross
        FROM ledger.transactions t ${JOIN_CURRENT_STATUS}
        CROSS JOIN LATERAL (SELECT e.data FROM platform.events e WHERE e.aggregate_id = t.source_id
          AND e.type = 'settlement.status_changed' ORDER BY e.transaction_id, e.position LIMIT 1) first
        CROSS JOIN jsonb_array_elements(first.data -> 'addresses') a
        WHERE ${IS_SETTLEMENT} GROUP BY t.id, n.status, request, lower(a ->> 'address'))
      SELECT COALESCE(p.id, u.withdrawal_id) AS id, COALESCE(p.address, u.address) AS address FROM payouts p
      FULL JOIN ledger.uncovered_payouts u ON (u.withdrawal_id, u.payment_request_id, u.address) = (p.id, p.request, p.address)
      WHERE p.id IS NULL OR u.gross_amount <> p.gross
        OR COALESCE(u.amount, 0) <> CASE p.status WHEN 'failed' THEN 0 ELSE p.gross
          - COALESCE((SELECT sum(b.gross_amount) FROM ledger.settled_transactions l
            JOIN ledger.transactions b ON b.id = l.transaction_id
            WHERE l.withdrawal_id = p.id AND b.payment_request_id = p.request AND lower(b.to_address) = p.address), 0) END`,
  },
];
