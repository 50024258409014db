import type { Invariant } from '#shared/kernel/invariant.js';

/** The merchant's wallet may not scan past a gap. */
export const numberedAddressesInvariants: Invariant[] = [
  {
    name: 'numbers-are-gapless',
    promise:
      'The numbered addresses of a wallet, including pruned ones, have all numbers from 0 up to the next one, each ' +
      'once.',
    breaches: `SELECT numbering_id, n.numbering, n.next_number, count(a.number) AS addresses, max(a.number) AS last
      FROM (SELECT numbering_id, number FROM payments.deposit_addresses WHERE numbering_id IS NOT NULL
        UNION ALL SELECT numbering_id, number FROM payments.pruned_addresses WHERE numbering_id IS NOT NULL) a
      FULL JOIN (SELECT id AS numbering_id, numbering, next_number FROM payments.address_numbers) n USING (numbering_id)
      GROUP BY numbering_id, n.numbering, n.next_number
      HAVING (count(a.number), count(DISTINCT a.number), max(a.number) + 1)
        IS DISTINCT FROM (n.next_number::bigint, n.next_number::bigint, n.next_number)`,
  },
  {
    name: 'numbered-addresses-are-of-one-organization',
    promise: 'Every numbered address belongs to the organization and the network of its wallet.',
    breaches: `SELECT a.network, a.address, a.number FROM payments.deposit_addresses a
      JOIN payments.address_numbers n ON n.id = a.numbering_id
      WHERE (a.organization_id, a.network) <> (n.organization_id, n.network)
      UNION ALL
      SELECT a.network, a.address, a.number FROM payments.pruned_addresses a
      JOIN payments.address_numbers n ON n.id = a.numbering_id
      JOIN payments.pruned_values s ON s.id = a.selection_value
      WHERE ((s.value ->> 'organization_id')::uuid, a.network) <> (n.organization_id, n.network)`,
  },
];
