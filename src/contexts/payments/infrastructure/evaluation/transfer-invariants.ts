import type { Invariant } from '#shared/kernel/invariant.js';
import { WATCHED_STATUSES_SQL } from '../requests/persistence/status-and-deadline.sql.js';

export const transferInvariants: Invariant[] = [
  {
    name: 'pending-transfers-lapse',
    promise:
      'No transfer still waits for a block an hour after a final block in which it would have been late.',
    breaches: `SELECT t.id, t.lapses_at, c.final_time FROM payments.transfers t JOIN payments.chain_cursors c USING (network)
      WHERE t.canonical AND t.block_number IS NULL AND t.lapses_at < c.final_time - interval '1 hour'`,
  },
  {
    name: 'seen-times-stay',
    promise:
      'A transfer has one first-seen time, which is not later than its record and does not change if the transfer ' +
      'moves to another block. Its deadline to be mined never becomes earlier.',
    breaches: `SELECT (min(id::text))::uuid AS id, network, transaction_hash, index FROM payments.transfers
      WHERE seen_at IS NOT NULL GROUP BY network, kind, transaction_hash, index
      HAVING count(DISTINCT seen_at) > 1 OR bool_or(seen_at > detected_at)
        OR max(lapses_at) FILTER (WHERE canonical) < max(lapses_at)`,
  },
  {
    name: 'arrived-by-first-sight',
    promise:
      'The arrival time of a transfer that was seen before its block is the first-seen time, unless its block ' +
      'timestamp is too late.',
    breaches: `SELECT id, seen_at, arrived_at, lapses_at FROM payments.transfers
      WHERE seen_at IS NOT NULL AND arrived_at > seen_at AND arrived_at <= lapses_at`,
  },
  {
    name: 'payable-coins-are-watched',
    promise: 'The native coin balance of every open request that is payable in native coin is checked.',
    breaches: `SELECT o.network, o.id FROM (
        SELECT id, network, unique_asset_id, currency FROM payments.payment_requests WHERE status IN ${WATCHED_STATUSES_SQL}
        UNION
        SELECT r.id, s.network, s.unique_asset_id, s.currency FROM payments.payment_requests r
        JOIN payments.selections s ON s.payment_request_id = r.id WHERE r.status IN ${WATCHED_STATUSES_SQL}) o
      WHERE o.unique_asset_id = 'n' || o.network || '_t' || o.currency
        AND NOT EXISTS (SELECT FROM payments.balance_watch w WHERE (w.network, w.payment_request_id) = (o.network, o.id))`,
  },
];
