import type { Invariant } from '#shared/kernel/invariant.js';

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
];
