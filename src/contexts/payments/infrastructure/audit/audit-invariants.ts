import type { Invariant } from '#shared/kernel/invariant.js';

/** Covers only configured networks, because the daily audit of a removed network stops. */
export function chainAuditInvariants(networks: readonly string[]): Invariant[] {
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
