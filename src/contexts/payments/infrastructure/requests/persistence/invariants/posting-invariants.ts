import type { Invariant } from '#shared/kernel/invariant.js';
import { ENDED_STATUSES_SQL, IS_RECEIVED } from '../status-and-deadline.sql.js';

export const postingInvariants: Invariant[] = [
  {
    name: 'final-money-is-booked',
    promise:
      'Every final transfer to a request that has ended is part of its outcome or a deposit. The booking may lag ' +
      'behind the final time of the network by 60 seconds, or by two days for small transfers that are aggregated ' +
      'daily.',
    // A transfer that waited for its request to end is booked in the next iteration.
    breaches: `SELECT t.id, t.payment_request_id
      FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
      JOIN payments.chain_cursors c ON c.network = t.network
      WHERE t.canonical AND t.final AND NOT ${IS_RECEIVED} AND t.deposited_at IS NULL
        AND r.status IN ${ENDED_STATUSES_SQL}
        AND c.final_time > interval '60 seconds' + GREATEST(t.block_time, t.detected_at,
          (t.gathered_on + 2)::timestamp AT TIME ZONE 'UTC',
          (SELECT max(h.at) FROM payments.status_history h WHERE h.payment_request_id = r.id))`,
  },
  {
    name: 'one-event-for-each-deposit',
    promise:
      'Every deposit has exactly one event with its amount. If the deposit is aggregated, the event also has the ' +
      'number of transfers of the same asset, address and day. No other transfer has such an event.',
    breaches: `WITH emitted AS (
        SELECT aggregate_id, data ->> 'transferId' AS transfer_id, (data ->> 'amount')::numeric AS amount,
          COALESCE(data #>> '{gathered,transfers}', '1') AS transfers, data #>> '{gathered,on}' AS gathered_on
        FROM platform.events WHERE type = 'payment_request.deposit_received'),
      deposits AS (
        SELECT COALESCE(deposit_id, id) AS id, sum(amount) AS amount, count(*)::text AS transfers,
          (min(payment_request_id::text))::uuid AS payment_request_id,
          min(gathered_on::text) FILTER (WHERE deposit_id IS NOT NULL) AS gathered_on,
          count(DISTINCT (payment_request_id, network, unique_asset_id, to_address, to_tag, gathered_on)) AS kinds
        FROM payments.transfers WHERE deposited_at IS NOT NULL GROUP BY 1)
      SELECT COALESCE(d.id::text, e.transfer_id) AS transfer_id, count(e.transfer_id) AS events
      FROM deposits d FULL JOIN emitted e ON e.transfer_id = d.id::text
      GROUP BY d.id, e.transfer_id
      HAVING count(d.id) <> 1 OR count(e.transfer_id) <> 1
        OR bool_or(d.kinds > 1 OR (e.amount, e.transfers, e.aggregate_id, e.gathered_on)
          IS DISTINCT FROM (d.amount, d.transfers, d.payment_request_id, d.gathered_on))`,
  },
  {
    name: 'one-event-for-each-reversal',
    promise:
      'Every reversed transfer has exactly one event, which subtracts the amount from the postings of the transfer.',
    breaches: `WITH emitted AS (
        SELECT aggregate_id, data ->> 'transferId' AS transfer_id, data ->> 'postedAs' AS posted_as,
          data ->> 'depositId' AS deposit_id,
          (data ->> 'before')::numeric - (data ->> 'after')::numeric AS amount
        FROM platform.events WHERE type = 'payment_request.credit_reversed'),
      reversed AS (
        SELECT id, payment_request_id, amount, deposit_id::text,
          CASE WHEN deposited_at IS NULL THEN 'payment_in' ELSE 'deposit' END AS posted_as
        FROM payments.transfers WHERE reversed_at IS NOT NULL)
      SELECT COALESCE(r.id::text, e.transfer_id) AS transfer_id, count(e.transfer_id) AS events
      FROM reversed r FULL JOIN emitted e ON e.transfer_id = r.id::text
      GROUP BY r.id, e.transfer_id
      HAVING count(r.id) <> 1 OR count(e.transfer_id) <> 1
        OR bool_or((e.aggregate_id, e.posted_as, e.amount, e.deposit_id)
          IS DISTINCT FROM (r.payment_request_id, r.posted_as, r.amount, r.deposit_id))
      UNION ALL
      SELECT e.deposit_id, e.events FROM (
        SELECT data ->> 'depositId' AS deposit_id, count(*) AS events, max((data ->> 'before')::numeric) AS before,
          min((data ->> 'after')::numeric) AS after
        FROM platform.events WHERE type = 'payment_request.credit_reversed' AND data ->> 'depositId' IS NOT NULL GROUP BY 1) e
      LEFT JOIN (
        SELECT deposit_id::text, sum(amount) AS whole, COALESCE(sum(amount) FILTER (WHERE reversed_at IS NULL), 0) AS rest
        FROM payments.transfers WHERE deposit_id IS NOT NULL GROUP BY 1) t USING (deposit_id)
      WHERE (e.before, e.after) IS DISTINCT FROM (t.whole, t.rest)`,
  },
  {
    name: 'reversed-money-is-held',
    promise:
      'The address of every reversed transfer that was not delivered has a settlement hold for it. No other ' +
      'transfer has one.',
    breaches: `SELECT COALESCE(t.id, h.transfer_id) AS transfer_id
      FROM payments.transfers t FULL JOIN payments.settlement_holds h ON h.transfer_id = t.id
      LEFT JOIN payments.deposit_addresses a ON (a.network, a.address, a.tag) = (t.network, t.to_address, t.to_tag)
      WHERE (t.reversed_at IS NOT NULL AND COALESCE(a.delivered, false) = (h.id IS NOT NULL))
        OR (h.id IS NOT NULL AND (t.reversed_at IS NULL OR (t.network, t.to_address, t.to_tag, t.payment_request_id)
          IS DISTINCT FROM (h.network, h.address, h.tag, h.payment_request_id)))`,
  },
  {
    name: 'what-was-posted-never-just-disappears',
    promise: 'Every deposit that disappeared from the chain was reversed.',
    breaches: `SELECT id, payment_request_id FROM payments.transfers
      WHERE deposited_at IS NOT NULL AND NOT canonical AND reversed_at IS NULL`,
  },
];
