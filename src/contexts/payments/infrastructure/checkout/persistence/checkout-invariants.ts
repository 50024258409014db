import type { Invariant } from '#shared/kernel/invariant.js';
import { RECEIVED_TIME, PAYMENT_CUTOFF_TIME } from '../../requests/persistence/status-and-deadline.sql.js';

export const checkoutInvariants: Invariant[] = [
  {
    name: 'what-is-chosen-later-has-a-session',
    promise: 'A payment request whose payer chooses the asset has a session in which to choose it.',
    breaches: `SELECT r.id, r.status FROM payments.payment_requests r
      WHERE (r.unique_asset_id IS NULL OR EXISTS (SELECT 1 FROM payments.status_history h
          WHERE h.payment_request_id = r.id AND h.status = 'pending'))
        AND NOT EXISTS (SELECT 1 FROM payments.checkouts c WHERE c.payment_request_id = r.id)`,
  },
  {
    name: 'checkouts-share-their-tenant',
    promise: 'Sessions and selections belong to the organization and account of their request.',
    breaches: `SELECT c.id FROM (
        SELECT payment_request_id AS id, organization_id, account_id FROM payments.checkouts
        UNION ALL SELECT payment_request_id, organization_id, account_id FROM payments.selections) c
      JOIN payments.payment_requests r USING (id)
      WHERE (r.organization_id, r.account_id) IS DISTINCT FROM (c.organization_id, c.account_id)`,
  },
  {
    name: 'selections-are-among-the-options',
    promise: 'Only assets that a session offers were selected in it.',
    breaches: `SELECT s.payment_request_id, s.unique_asset_id
      FROM payments.selections s JOIN payments.checkouts c USING (payment_request_id)
      WHERE s.unique_asset_id <> ALL (c.payment_options)`,
  },
  {
    name: 'what-is-asked-is-what-was-selected',
    promise: 'A session with selections requests the asset and amount of one of them.',
    breaches: `SELECT r.id, r.unique_asset_id
      FROM payments.payment_requests r JOIN payments.checkouts c ON c.payment_request_id = r.id
      LEFT JOIN payments.selections s ON s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id
      WHERE (r.network, r.unique_asset_id, r.currency, r.decimals, r.amount)
          IS DISTINCT FROM (s.network, s.unique_asset_id, s.currency, s.decimals, s.amount)
        OR (r.unique_asset_id IS NULL
          AND EXISTS (SELECT 1 FROM payments.selections o WHERE o.payment_request_id = r.id))`,
  },
  {
    name: 'selected-amounts-are-worth-the-price',
    promise:
      'A selected amount is the smallest amount of the asset that is worth the price at the locked rate.',
    // Multiplies instead of dividing, because a quotient would be rounded.
    breaches: `SELECT s.payment_request_id, s.unique_asset_id, s.amount
      FROM payments.selections s JOIN payments.checkouts c USING (payment_request_id),
        LATERAL (SELECT c.amount::numeric * ('1e' || s.decimals)::numeric AS wanted,
          COALESCE(s.rate, '1')::numeric AS each) worth
      WHERE NOT (s.amount::numeric * each >= wanted AND (s.amount::numeric - 1) * each < wanted)`,
  },
  {
    name: 'addresses-serve-one-request',
    promise:
      'Each selection has an address of its request and network, and no other request uses that address.',
    breaches: `SELECT s.payment_request_id, s.network, s.address
      FROM payments.selections s JOIN payments.deposit_addresses a USING (network, address, tag)
      WHERE a.payment_request_id <> s.payment_request_id`,
  },
  {
    name: 'counted-transfers-pay-the-selection',
    promise:
      'Each transfer counted for a session was sent to the address displayed with its asset, within the grace period.',
    breaches: `SELECT t.id, t.payment_request_id
      FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
      JOIN payments.checkouts c ON c.payment_request_id = r.id
      WHERE t.counted AND NOT EXISTS (SELECT 1 FROM payments.selections s
        WHERE s.payment_request_id = r.id AND s.unique_asset_id = t.unique_asset_id AND s.network = t.network
          AND s.address = t.to_address AND s.tag = t.to_tag
          AND ${RECEIVED_TIME} <= ${PAYMENT_CUTOFF_TIME})`,
  },
  {
    name: 'nothing-paid-in-time-expires',
    promise:
      'No expired request had received the minimum payment, final and in time, in a requested asset at the address ' +
      'shown for that asset.',
    // Exceptions: transfers sent before their asset was selected, transfers that a reorganization adds after their
    // request expired, and transfers on networks that are being rescanned. Coinbase outputs below the minimum never
    // count.
    breaches: `WITH asked AS (
        SELECT s.payment_request_id AS id, s.network, s.unique_asset_id, s.address, s.tag, s.selected_at AS since,
          ${PAYMENT_CUTOFF_TIME} AS until, LEAST(s.minimum_amount, s.amount) AS least
        FROM payments.selections s JOIN payments.payment_requests r ON r.id = s.payment_request_id
        UNION ALL
        SELECT r.id, r.network, r.unique_asset_id, a.address, a.tag, r.created_at, r.counts_until,
          LEAST(COALESCE(r.minimum_amount, 1), r.amount)
        FROM payments.payment_requests r JOIN payments.deposit_addresses a ON a.payment_request_id = r.id
        WHERE NOT EXISTS (SELECT 1 FROM payments.checkouts c WHERE c.payment_request_id = r.id))
      SELECT t.payment_request_id, t.unique_asset_id, sum(t.amount) AS received
      FROM asked JOIN payments.transfers t ON t.payment_request_id = asked.id
        AND (t.network, t.unique_asset_id, t.to_address, t.to_tag)
          = (asked.network, asked.unique_asset_id, asked.address, asked.tag)
      JOIN payments.status_history h ON h.payment_request_id = asked.id AND h.status = 'expired'
      WHERE t.canonical AND t.final AND ${RECEIVED_TIME} <= until AND t.detected_at BETWEEN since AND h.at
        AND (t.extra_confirmations = 0 OR t.amount >= least)
      GROUP BY 1, 2, least HAVING sum(t.amount) >= least`,
  },
  {
    name: 'nothing-stays-pending',
    promise: 'No session waits for a selection for more than 60 seconds after its payment window.',
    breaches: `SELECT id, expires_at FROM payments.payment_requests
      WHERE status = 'pending' AND expires_at < platform.now() - interval '60 seconds'`,
  },
];
