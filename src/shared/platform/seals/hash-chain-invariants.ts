import type { Invariant } from '../../kernel/invariant.js';
import { HASH_CHAIN_LINK_EVENTS, hashChainDigestSql } from './event-hash-chain.js';

export const hashChainInvariants: Invariant[] = [
  {
    name: 'events-are-as-sealed',
    promise: 'No event in the hash chain was changed, deleted or inserted afterwards.',
    holdsWithoutArchive: true,
    breaches: `SELECT s.number AS seal, s.events AS sealed, d.events AS found
      FROM (SELECT number, transaction_id, position, events, digest, lag(number) OVER chain AS before,
          lag(digest) OVER chain AS previous, lag(transaction_id) OVER chain AS after_transaction,
          lag(position) OVER chain AS after_position
        FROM platform.seals WINDOW chain AS (ORDER BY number)) s
      CROSS JOIN LATERAL (SELECT count(e.id) AS events, ${hashChainDigestSql('s.previous', 's.number')} AS digest
        FROM platform.events e WHERE ${HASH_CHAIN_LINK_EVENTS}) d
      WHERE CASE WHEN s.number = 0 THEN s.digest <> sha256('') OR s.position <> 0 OR s.transaction_id <> '0'::xid8
        ELSE (s.before = s.number - 1 AND (s.digest = d.digest AND s.events = d.events
          OR s.transaction_id < (SELECT to_transaction FROM platform.event_partitions
            WHERE detached_at IS NOT NULL ORDER BY to_transaction DESC LIMIT 1)))
          IS NOT TRUE END
      UNION ALL
      SELECT 0, 0, 0 WHERE NOT EXISTS (SELECT FROM platform.seals WHERE number = 0)`,
  },
  {
    name: 'seals-keep-up',
    promise: 'No event waits for more than an hour until it is added to the hash chain.',
    holdsWithoutArchive: true,
    breaches: `SELECT l.number AS last_seal, l.made_at, min(e.occurred_at) AS oldest_unsealed
      FROM (SELECT * FROM platform.seals ORDER BY number DESC LIMIT 1) l
      JOIN platform.events e ON e.transaction_id >= l.transaction_id
        AND (e.transaction_id, e.position) > (l.transaction_id, l.position)
      WHERE l.made_at < clock_timestamp() - interval '1 hour' AND e.occurred_at < platform.now() - interval '1 hour'
      GROUP BY l.number, l.made_at`,
  },
];
