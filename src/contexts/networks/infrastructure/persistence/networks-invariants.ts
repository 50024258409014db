import type { Invariant } from '#shared/kernel/invariant.js';

export const networksInvariants: Invariant[] = [
  {
    name: 'one-network-per-chain',
    promise: 'No chain is collected under two network names, where each transfer would count twice.',
    breaches: `SELECT chain_id, genesis_hash, array_agg(network ORDER BY network) AS networks
      FROM networks.known_chains GROUP BY chain_id, genesis_hash HAVING count(*) > 1`,
  },
];
