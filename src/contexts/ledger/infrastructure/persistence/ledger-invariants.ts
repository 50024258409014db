import type { Invariant } from '../../../../shared/kernel/invariant.js';

/** Facts ahead of the subscriber's position may still be on their way, but not for longer than this. */
const POSTED_WITHIN = `interval '60 seconds'`;

export const ledgerInvariants: Invariant[] = [
  {
    name: 'ledger-entries-balance',
    promise: 'The entries of every transaction sum to zero in every asset.',
    breaches: `SELECT transaction_id, unique_asset_id, sum(amount) FROM ledger.entries
      GROUP BY transaction_id, unique_asset_id HAVING sum(amount) <> 0`,
  },
  {
    name: 'ledger-balances-equal-entries',
    promise: 'Every cached balance equals the sum of its entries, and no entries are without a balance.',
    breaches: `SELECT account_id, ledger_account, unique_asset_id, b.amount AS cached, e.amount AS summed
      FROM ledger.balances b FULL JOIN (
        SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount) AS amount
        FROM ledger.entries GROUP BY organization_id, account_id, ledger_account, unique_asset_id
      ) e USING (organization_id, account_id, ledger_account, unique_asset_id)
      WHERE b.amount IS DISTINCT FROM e.amount`,
  },
  {
    name: 'ledger-payment-in-entries',
    promise:
      'A payment_in stands in the journal as its gross in custody, owed to the merchant but for the fee.',
    breaches: `SELECT t.id FROM ledger.transactions t LEFT JOIN ledger.entries e ON e.transaction_id = t.id
      WHERE t.type = 'payment_in' GROUP BY t.id
      HAVING COALESCE(sum(e.amount) FILTER (WHERE ledger_account = 'custody'), 0) <> t.gross_amount
        OR COALESCE(sum(e.amount) FILTER (WHERE ledger_account = 'merchant_payable'), 0) <> -t.net_amount
        OR COALESCE(sum(e.amount) FILTER (WHERE ledger_account = 'service_fees'), 0) <> t.net_amount - t.gross_amount
        OR count(*) FILTER (WHERE e.unique_asset_id <> t.unique_asset_id) > 0`,
  },
  {
    name: 'ledger-one-owner',
    promise:
      'Entries share organization and account with their transaction, and an account has one organization.',
    breaches: `SELECT e.transaction_id AS id FROM ledger.entries e JOIN ledger.transactions t ON t.id = e.transaction_id
        WHERE (e.organization_id, e.account_id) <> (t.organization_id, t.account_id)
      UNION ALL
      SELECT t.id FROM ledger.transactions t LEFT JOIN ledger.sequences s ON s.scope_id = t.account_id
        WHERE s.organization_id IS DISTINCT FROM t.organization_id`,
  },
  {
    name: 'ledger-sequences-gapless',
    promise:
      'Transactions are numbered without gaps per organization and per account, and the counters say how many.',
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
    promise: 'A later number never has an earlier created_at.',
    breaches: `SELECT id FROM (
        SELECT id, created_at,
          lag(created_at) OVER (PARTITION BY organization_id ORDER BY organization_sequence) AS in_organization,
          lag(created_at) OVER (PARTITION BY account_id ORDER BY account_sequence) AS in_account
        FROM ledger.transactions) t
      WHERE created_at < in_organization OR created_at < in_account`,
  },
  {
    name: 'ledger-confirmed-posted-once',
    promise:
      'Every confirmed payment request has exactly one payment_in of what it received; within 60 seconds, and at once ' +
      "where the ledger's position is past it.",
    breaches: `SELECT e.id AS event_id, e.aggregate_id AS payment_request_id, count(t.id)
      FROM platform.events e
      LEFT JOIN platform.subscriber_positions p ON p.subscriber = 'ledger'
      LEFT JOIN ledger.transactions t ON t.payment_request_id = e.aggregate_id AND t.type = 'payment_in'
        AND (t.organization_id, t.account_id) = (e.organization_id, e.account_id)
        AND t.gross_amount = (e.data ->> 'receivedAmount')::numeric
        AND t.expected_amount = (e.data ->> 'expectedAmount')::numeric
        AND t.gross_amount - t.net_amount = div(t.gross_amount * (e.data ->> 'feeBasisPoints')::numeric, 10000)
      WHERE e.type = 'payment_request.confirmed'
        AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
          OR e.occurred_at < platform.now() - ${POSTED_WITHIN})
      GROUP BY e.id HAVING count(t.id) <> 1`,
  },
  {
    name: 'ledger-payment-in-confirmed',
    promise: 'No payment_in is without its confirmed payment request.',
    breaches: `SELECT t.id, t.payment_request_id FROM ledger.transactions t
      WHERE t.type = 'payment_in' AND NOT EXISTS (SELECT 1 FROM platform.events e
        WHERE e.aggregate_id = t.payment_request_id AND e.type = 'payment_request.confirmed')`,
  },
];
