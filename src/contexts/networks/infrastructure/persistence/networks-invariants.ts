import type { Invariant } from '#shared/kernel/invariant.js';

export const networksInvariants: Invariant[] = [
  {
    name: 'one-network-per-chain',
    promise: 'Each chain has only one network name, so that no transfer counts twice.',
    breaches: `SELECT chain_id, genesis_hash, array_agg(network ORDER BY network) AS networks
      FROM networks.known_chains GROUP BY chain_id, genesis_hash HAVING count(*) > 1`,
  },
];

export const outboundTransactionInvariants: Invariant[] = [
  {
    name: 'sendings-are-of-keys-that-may',
    promise:
      'The key of a refund float sends only refunds and withdrawals, and no other key sends native coin.',
    breaches: `SELECT s.id, s.network, s.sender, s.nonce, s.key, s.purpose, s.value FROM networks.sendings s
      WHERE NOT (s.adopted AND s.purpose = 'unknown')
        AND ((COALESCE(s.key, '') LIKE 'float:%') <> (s.purpose IN ('refund', 'float_withdrawal'))
          OR COALESCE(s.key, '') NOT LIKE 'float:%' AND s.value > 0)`,
  },
  {
    name: 'sendings-have-their-attempts',
    promise: 'Every signed attempt of an outbound transaction is stored, in order.',
    breaches: `SELECT s.id, s.network, s.sender, s.nonce FROM networks.sendings s
      LEFT JOIN (SELECT sending_id, count(*) AS stored, max(number) AS last
        FROM networks.sending_attempts GROUP BY sending_id) a ON a.sending_id = s.id
      WHERE s.attempts <> COALESCE(a.stored, 0) OR s.attempts <> COALESCE(a.last, 0)`,
  },
  {
    name: 'sendings-are-mined-by-their-attempts',
    promise:
      'If an outbound transaction is mined, the mined transaction is one of its attempts on its network.',
    breaches: `SELECT s.id, s.network, s.sender, s.nonce, s.mined_hash FROM networks.sendings s
      WHERE s.mined_hash IS NOT NULL AND NOT EXISTS (SELECT FROM networks.sending_attempts a
        WHERE a.sending_id = s.id AND a.network = s.network AND a.hash = s.mined_hash)`,
  },
  {
    name: 'sendings-are-cancelled-by-their-attempts',
    promise: 'An outbound transaction is cancelled if and only if its final mined attempt is a cancellation.',
    breaches: `SELECT s.id, s.network, s.sender, s.nonce, s.state FROM networks.sendings s
      JOIN networks.sending_attempts a ON a.sending_id = s.id AND a.hash = s.mined_hash
      WHERE s.state IN ('final', 'reverted', 'cancelled') AND a.cancels <> (s.state = 'cancelled')`,
  },
];
