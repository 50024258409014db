import type { Invariant } from '../../../../../shared/kernel/invariant.js';
import { ENDED, IS_RECEIVED } from './status-and-deadline.sql.js';

/** Of deposits and reversals. */
export const postingInvariants: Invariant[] = [
  {
    name: 'final-money-is-booked',
    promise:
      'No final transfer to a request that has ended is neither part of its outcome nor a deposit, once its network has become final 60 seconds further.',
    // A transfer marked final is booked by the same unit of work; one that waited for its request to end, by the next turn.
    breaches: `SELECT t.id, t.payment_request_id
      FROM payments.transfers t JOIN payments.payment_requests r ON r.id = t.payment_request_id
      JOIN payments.chain_cursors c ON c.network = t.network
      WHERE t.canonical AND t.final AND NOT ${IS_RECEIVED} AND t.deposited_at IS NULL
        AND r.status IN ${ENDED}
        AND c.final_time > interval '60 seconds' + GREATEST(t.block_time, t.detected_at,
          (SELECT max(h.at) FROM payments.status_history h WHERE h.payment_request_id = r.id))`,
  },
  {
    name: 'one-event-for-each-deposit',
    promise: 'Every deposit has exactly one event, which tells its amount, and no other transfer has any.',
    breaches: `WITH emitted AS (
        SELECT aggregate_id, data ->> 'transferId' AS transfer_id, data ->> 'amount' AS amount
        FROM platform.events WHERE type = 'payment_request.deposit_received'),
      deposits AS (
        SELECT id, payment_request_id, amount FROM payments.transfers WHERE deposited_at IS NOT NULL)
      SELECT COALESCE(d.id::text, e.transfer_id) AS transfer_id, count(e.transfer_id) AS events
      FROM deposits d FULL JOIN emitted e ON e.transfer_id = d.id::text
      GROUP BY d.id, e.transfer_id
      HAVING count(d.id) <> 1 OR count(e.transfer_id) <> 1
        OR bool_or(e.amount <> d.amount::text OR e.aggregate_id <> d.payment_request_id)`,
  },
  {
    name: 'one-event-for-each-reversal',
    promise:
      'Every reversed transfer has exactly one event, which takes its amount off what it was posted as.',
    breaches: `WITH emitted AS (
        SELECT aggregate_id, data ->> 'transferId' AS transfer_id, data ->> 'postedAs' AS posted_as,
          (data ->> 'before')::numeric - (data ->> 'after')::numeric AS amount
        FROM platform.events WHERE type = 'payment_request.credit_reversed'),
      reversed AS (
        SELECT id, payment_request_id, amount,
          CASE WHEN deposited_at IS NULL THEN 'payment_in' ELSE 'deposit' END AS posted_as
        FROM payments.transfers WHERE reversed_at IS NOT NULL)
      SELECT COALESCE(r.id::text, e.transfer_id) AS transfer_id, count(e.transfer_id) AS events
      FROM reversed r FULL JOIN emitted e ON e.transfer_id = r.id::text
      GROUP BY r.id, e.transfer_id
      HAVING count(r.id) <> 1 OR count(e.transfer_id) <> 1
        OR bool_or((e.aggregate_id, e.posted_as, e.amount) <> (r.payment_request_id, r.posted_as, r.amount))`,
  },
  {
    name: 'reversed-money-is-held',
    promise:
      'The address of every reversed transfer was held from settlement for it, and no other transfer is.',
    breaches: `SELECT COALESCE(t.id, h.transfer_id) AS transfer_id
      FROM payments.transfers t FULL JOIN payments.settlement_holds h ON h.transfer_id = t.id
      WHERE (t.reversed_at IS NOT NULL AND h.id IS NULL)
        OR (h.id IS NOT NULL AND (t.reversed_at IS NULL OR (t.network, t.to_address, t.to_tag, t.payment_request_id)
          IS DISTINCT FROM (h.network, h.address, h.tag, h.payment_request_id)))`,
  },
  {
    name: 'what-was-posted-never-just-disappears',
    promise: 'A deposit that is no longer in the chain was reversed.',
    breaches: `SELECT id, payment_request_id FROM payments.transfers
      WHERE deposited_at IS NOT NULL AND NOT canonical AND reversed_at IS NULL`,
  },
  {
    name: 'native-payouts-stand-in-read-blocks',
    promise:
      'Native coin was paid out by an address of ours, in the very block that was read at that height.',
    breaches: `SELECT p.network, p.transaction_hash, p.log_index FROM payments.native_payouts p
      LEFT JOIN payments.chain_cursors c ON c.network = p.network
      LEFT JOIN payments.blocks b ON b.network = p.network AND b.number = p.block_number
      WHERE b.hash <> p.block_hash OR (p.block_number <= c.head_number) IS NOT TRUE
        OR NOT EXISTS (SELECT 1 FROM payments.deposit_addresses a
          WHERE a.network = p.network AND a.address = p.address)`,
  },
];
