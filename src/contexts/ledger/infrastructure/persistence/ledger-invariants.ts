import type { Invariant } from '#shared/kernel/invariant.js';
import { IS_REFUND_BY_MERCHANT, IS_SETTLEMENT } from './transaction-selection.sql.js';
import { LEDGER_SUBSCRIBER, type PublishedMovementEvent } from '../subscribers/movement-event-types.js';

/** Maximum time for which events after the subscriber's checkpoint may stay unposted. */
export const MAX_POSTING_DELAY = `interval '60 seconds'`;

const BOOKS_TRANSFER = `t.transfer_id = (e.data ->> 'transferId')::uuid AND t.payment_request_id = e.aggregate_id`;

const netOfFee = (sum: string) => `(${sum} - div(${sum} * (e.data ->> 'feeBasisPoints')::numeric, 10000))`;

const ACCOUNT_OF_HELD_FUNDS =
  'in custody (or delivered, if its address belongs to the merchant’s own wallet)';

export const ledgerInvariants: Invariant[] = [
  {
    name: 'ledger-entries-balance',
    promise: 'The entries of every transaction sum to zero in every asset.',
    breaches: `SELECT transaction_id, unique_asset_id, sum(amount) FROM ledger.entries
      GROUP BY transaction_id, unique_asset_id HAVING sum(amount) <> 0`,
  },
  {
    name: 'ledger-balances-equal-entries',
    promise: 'Every cached balance equals the sum of its entries, and all entries are part of a balance.',
    breaches: `SELECT account_id, ledger_account, unique_asset_id, b.amount AS cached, e.amount AS summed
      FROM ledger.balances b FULL JOIN (
        SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount) AS amount
        FROM ledger.entries GROUP BY organization_id, account_id, ledger_account, unique_asset_id
      ) e USING (organization_id, account_id, ledger_account, unique_asset_id)
      WHERE b.amount IS DISTINCT FROM e.amount`,
  },
  entriesMatchAmounts(
    'payment_in',
    `is ${ACCOUNT_OF_HELD_FUNDS}, and is owed to the merchant except for the fee.`,
  ),
  entriesMatchAmounts(
    'deposit',
    `is ${ACCOUNT_OF_HELD_FUNDS}, and is owed to the merchant except for the fee.`,
  ),
  entriesMatchAmounts(
    'adjustment',
    `reduces the amounts ${ACCOUNT_OF_HELD_FUNDS}, owed to the merchant and held as fees.`,
  ),
  {
    name: 'ledger-one-owner',
    promise:
      'Entries have the organization and account of their transaction, and each account belongs to one ' +
      'organization.',
    breaches: `SELECT e.transaction_id AS id FROM ledger.entries e JOIN ledger.transactions t ON t.id = e.transaction_id
        WHERE (e.organization_id, e.account_id) <> (t.organization_id, t.account_id)
      UNION ALL
      SELECT t.id FROM ledger.transactions t LEFT JOIN ledger.sequences s ON s.scope_id = t.account_id
        WHERE s.organization_id IS DISTINCT FROM t.organization_id`,
  },
  {
    name: 'ledger-sequences-gapless',
    promise:
      'Transactions are numbered without gaps in each organization and each account, and the counters match.',
    breaches: `SELECT scope_id, s.last, n.count, n.highest FROM ledger.sequences s FULL JOIN (
        SELECT organization_id AS scope_id, count(*), max(organization_sequence) AS highest
          FROM ledger.transactions GROUP BY organization_id
        UNION ALL
        SELECT account_id, count(*), max(account_sequence) FROM ledger.transactions GROUP BY account_id
      ) n USING (scope_id)
      WHERE s.last IS DISTINCT FROM n.count OR n.highest IS DISTINCT FROM n.count`,
  },
  {
    name: 'ledger-times-follow-numbers',
    promise: 'A transaction with a later number never has an earlier created_at.',
    breaches: `SELECT id FROM (
        SELECT id, created_at,
          lag(created_at) OVER (PARTITION BY organization_id ORDER BY organization_sequence) AS in_organization,
          lag(created_at) OVER (PARTITION BY account_id ORDER BY account_sequence) AS in_account
        FROM ledger.transactions) t
      WHERE created_at < in_organization OR created_at < in_account`,
  },
  {
    name: 'ledger-custody-is-what-came',
    promise:
      'For each account and asset, custody, in-flight amounts, deliveries to the merchant and the fee recipient, ' +
      'and rounding add up to payments and deposits minus reversals. Refunds from the merchant’s own wallet still ' +
      'count as delivered.',
    breaches: `SELECT account_id, unique_asset_id, b.amount AS stands, t.amount AS came
      FROM (SELECT organization_id, account_id, unique_asset_id, sum(amount) AS amount FROM (
          SELECT organization_id, account_id, unique_asset_id, amount FROM ledger.balances
            WHERE ledger_account IN ('custody', 'in_flight', 'delivered', 'fees_delivered', 'rounding')
          UNION ALL
          SELECT e.organization_id, e.account_id, e.unique_asset_id, -e.amount
            FROM ledger.transactions t JOIN ledger.entries e ON e.transaction_id = t.id
            WHERE ${IS_REFUND_BY_MERCHANT} AND e.ledger_account = 'delivered'
          UNION ALL
          SELECT e.organization_id, e.account_id, e.unique_asset_id, e.amount
            FROM ledger.transactions t JOIN ledger.entries e ON e.transaction_id = t.id
            WHERE ${IS_SETTLEMENT} AND e.ledger_account = 'merchant_payable') parts
        GROUP BY organization_id, account_id, unique_asset_id) b
      FULL JOIN (SELECT organization_id, account_id, unique_asset_id, sum(gross_amount) AS amount
        FROM ledger.transactions
        WHERE type IN ('payment_in', 'adjustment') OR type = 'deposit' AND payment_request_id IS NOT NULL
        GROUP BY organization_id, account_id, unique_asset_id) t
        USING (organization_id, account_id, unique_asset_id)
      WHERE b.amount IS DISTINCT FROM COALESCE(t.amount, 0)`,
  },
  {
    name: 'ledger-adjustments-reverse-what-stands',
    promise:
      'Each adjustment follows the transaction that it reverses, which is the deposit of its transfer or else the ' +
      'payment_in of its payment request. The adjustments of a transaction never exceed its amount.',
    breaches: `WITH adjustments AS (
        SELECT a.*, e.gathered_in, COALESCE(e.gathered_in, a.transfer_id) AS deposit_id
        FROM ledger.transactions a LEFT JOIN LATERAL (
          SELECT min(e.data ->> 'depositId')::uuid AS gathered_in FROM platform.events e
          WHERE e.aggregate_id = a.payment_request_id AND e.type = 'payment_request.credit_reversed'
            AND (e.data ->> 'transferId')::uuid = a.transfer_id) e ON true
        WHERE a.type = 'adjustment')
      SELECT a.id FROM adjustments a
      LEFT JOIN ledger.transactions d ON d.transfer_id = a.deposit_id AND d.type = 'deposit'
      LEFT JOIN ledger.transactions p ON p.payment_request_id = a.payment_request_id AND p.type = 'payment_in'
        AND d.id IS NULL
      WHERE (COALESCE(d.account_id, p.account_id), COALESCE(d.unique_asset_id, p.unique_asset_id))
          IS DISTINCT FROM (a.account_id, a.unique_asset_id)
        OR COALESCE(d.account_sequence, p.account_sequence) > a.account_sequence
        OR a.gathered_in IS NULL AND (d.gross_amount + a.gross_amount <> 0 OR d.net_amount + a.net_amount <> 0)
      UNION ALL
      SELECT d.id FROM ledger.transactions d JOIN adjustments a ON d.transfer_id = a.deposit_id
      WHERE d.type = 'deposit'
      GROUP BY d.id HAVING d.gross_amount + sum(a.gross_amount) < 0 OR d.net_amount + sum(a.net_amount) < 0
      UNION ALL
      SELECT p.id FROM ledger.transactions p
      JOIN adjustments a ON a.payment_request_id = p.payment_request_id
      WHERE p.type = 'payment_in' AND NOT EXISTS (SELECT FROM ledger.transactions d
        WHERE d.transfer_id = a.deposit_id AND d.type = 'deposit')
      GROUP BY p.id HAVING p.gross_amount + sum(a.gross_amount) < 0 OR p.net_amount + sum(a.net_amount) < 0`,
  },
  {
    name: 'ledger-confirmed-posted-once',
    promise:
      'Every confirmed payment request has exactly one payment_in with the amount received. Confirmations of the ' +
      'last 60 seconds may be missing until the ledger reaches them.',
    breaches: eventsNotPostedOnce(
      'payment_request.confirmed',
      `t.type = 'payment_in' AND t.payment_request_id = e.aggregate_id
        AND t.gross_amount = (e.data ->> 'receivedAmount')::numeric
        AND t.expected_amount = (e.data ->> 'expectedAmount')::numeric
        AND t.net_amount = ${netOfFee(`(e.data ->> 'receivedAmount')::numeric`)}`,
    ),
  },
  {
    name: 'ledger-deposits-posted-once',
    promise:
      'Every transfer recorded as a deposit has exactly one deposit transaction with its amount. Deposits of the ' +
      'last 60 seconds may be missing until the ledger reaches them.',
    breaches: eventsNotPostedOnce(
      'payment_request.deposit_received',
      `t.type = 'deposit' AND ${BOOKS_TRANSFER}
        AND t.gross_amount = (e.data ->> 'amount')::numeric
        AND t.net_amount = ${netOfFee(`(e.data ->> 'amount')::numeric`)}`,
    ),
  },
  {
    name: 'ledger-reversals-posted-once',
    promise:
      'Every reversal of a booked transfer has exactly one adjustment with the reversed amount. Reversals of the ' +
      'last 60 seconds may be missing until the ledger reaches them.',
    breaches: eventsNotPostedOnce(
      'payment_request.credit_reversed',
      `t.type = 'adjustment' AND ${BOOKS_TRANSFER} AND t.expected_amount = t.gross_amount
        AND t.gross_amount = (e.data ->> 'after')::numeric - (e.data ->> 'before')::numeric
        AND t.net_amount = ${netOfFee(`(e.data ->> 'after')::numeric`)} - ${netOfFee(`(e.data ->> 'before')::numeric`)}`,
    ),
  },
  {
    name: 'ledger-payment-in-confirmed',
    promise: 'Every payment_in has its confirmed payment request.',
    breaches: `SELECT t.id, t.payment_request_id FROM ledger.transactions t
      WHERE t.type = 'payment_in' AND NOT EXISTS (SELECT 1 FROM platform.events e
        WHERE e.aggregate_id = t.payment_request_id AND e.type = 'payment_request.confirmed')`,
  },
  {
    name: 'ledger-transfers-told',
    promise: 'Every deposit and adjustment has the event for which it was posted.',
    breaches: `SELECT t.id, t.type, t.transfer_id FROM ledger.transactions t
      WHERE t.type IN ('deposit', 'adjustment') AND t.source_id IS NULL AND NOT EXISTS (SELECT 1 FROM platform.events e
        WHERE e.aggregate_id = t.payment_request_id AND (e.data ->> 'transferId')::uuid = t.transfer_id
          AND e.type = CASE t.type WHEN 'deposit' THEN 'payment_request.deposit_received'
            ELSE 'payment_request.credit_reversed' END)`,
  },
];

function entriesMatchAmounts(type: 'payment_in' | 'deposit' | 'adjustment', stands: string): Invariant {
  return {
    name: `ledger-${type.replace('_', '-')}-entries`,
    promise: `In the journal, the gross amount of each ${type} ${stands}`,
    breaches: `SELECT t.id FROM ledger.transactions t LEFT JOIN ledger.entries e ON e.transaction_id = t.id
      WHERE t.type = '${type}' AND t.source_id IS NULL GROUP BY t.id
      HAVING COALESCE(sum(e.amount) FILTER (WHERE ledger_account = CASE t.to_type WHEN 'vault' THEN 'custody'
          ELSE 'delivered' END), 0) <> t.gross_amount
        OR COALESCE(sum(e.amount) FILTER (WHERE ledger_account = 'merchant_payable'), 0) <> -t.net_amount
        OR COALESCE(sum(e.amount) FILTER (WHERE ledger_account = 'service_fees'), 0) <> t.net_amount - t.gross_amount
        OR count(*) FILTER (WHERE e.unique_asset_id <> t.unique_asset_id) > 0`,
  };
}

function eventsNotPostedOnce(eventType: PublishedMovementEvent['type'], is: string): string {
  return `SELECT e.id AS event_id, e.aggregate_id AS payment_request_id, count(t.id)
    FROM platform.events e
    LEFT JOIN platform.subscriber_positions p ON p.subscriber = '${LEDGER_SUBSCRIBER}'
    LEFT JOIN ledger.transactions t ON ${is}
      AND (t.organization_id, t.account_id) = (e.organization_id, e.account_id)
      AND (t.network, t.unique_asset_id) = (e.data ->> 'network', e.data ->> 'uniqueAssetId')
    WHERE e.type = '${eventType}'
      AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
        OR e.occurred_at < platform.now() - ${MAX_POSTING_DELAY})
    GROUP BY e.id, e.aggregate_id HAVING count(t.id) <> 1`;
}
