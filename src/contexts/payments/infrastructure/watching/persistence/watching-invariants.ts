import type { Invariant } from '#shared/kernel/invariant.js';
import { WATCHED } from '../../requests/persistence/status-and-deadline.sql.js';

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
    name: 'block-times-follow-numbers',
    promise: 'No stored block has an earlier timestamp than its parent.',
    breaches: `SELECT network, number FROM (
        SELECT network, number, time, lag(time) OVER (PARTITION BY network ORDER BY number) AS before
        FROM payments.blocks) b WHERE time < before`,
  },
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
        SELECT id, network, unique_asset_id, currency FROM payments.payment_requests WHERE status IN ${WATCHED}
        UNION
        SELECT r.id, s.network, s.unique_asset_id, s.currency FROM payments.payment_requests r
        JOIN payments.selections s ON s.payment_request_id = r.id WHERE r.status IN ${WATCHED}) o
      WHERE o.unique_asset_id = 'n' || o.network || '_t' || o.currency
        AND NOT EXISTS (SELECT FROM payments.balance_watch w WHERE (w.network, w.payment_request_id) = (o.network, o.id))`,
  },
];

/** The results that audits must have on configured networks; a network that is not configured is audited no more. */
export function auditedNetworks(networks: readonly string[]): Invariant[] {
  const names = networks.map((network) => `'${network.replaceAll("'", "''")}'`);
  const configured = `ARRAY[${names.join(', ')}]::text[]`;
  return [
    {
      name: 'chain-audits-find-nothing',
      promise:
        'The last audit of each network, and the running one, found no difference between the books and the chain.',
      breaches: `SELECT a.network, a.block_number AS block, f.finding ->> 'kind' AS kind, f.finding ->> 'about' AS about,
          f.finding ->> 'says' AS says
        FROM (SELECT DISTINCT ON (network, ended_at IS NULL) * FROM payments.chain_audits
          WHERE network = ANY (${configured}) ORDER BY network, ended_at IS NULL, began_at DESC) a
        CROSS JOIN LATERAL jsonb_array_elements(a.findings) f (finding) WHERE f.finding ->> 'kind' <> 'not-audited'`,
    },
    {
      name: 'chain-audits-keep-up',
      promise: 'Every network that is read was audited in the last two days.',
      breaches: `SELECT c.network, c.first_read_at, l.ended_at AS last_audit FROM payments.chain_cursors c
        LEFT JOIN LATERAL (SELECT max(ended_at) AS ended_at FROM payments.chain_audits a WHERE a.network = c.network) l ON true
        WHERE c.network = ANY (${configured}) AND c.final_number IS NOT NULL
          AND greatest(c.first_read_at, l.ended_at) < platform.now() - interval '2 days'`,
    },
  ];
}
