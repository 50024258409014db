import type { Invariant } from '#shared/kernel/invariant.js';

const HAD_AN_ADDRESS = `EXISTS (SELECT FROM payments.status_history h
        WHERE h.payment_request_id = p.id AND h.status = 'created')`;

function hasAddressSql(whose: string): string {
  return `EXISTS (SELECT FROM payments.pruned_addresses a JOIN payments.pruned_values s ON s.id = a.selection_value
        WHERE a.payment_request_id = p.id AND ${whose})`;
}

export const prunedRequestsInvariants: Invariant[] = [
  {
    name: 'histories-have-their-request',
    promise: 'Every history belongs to one request, which exists or was pruned.',
    breaches: `SELECT h.payment_request_id, count(k.id) AS requests
      FROM payments.status_history h LEFT JOIN payments.known_requests k ON k.id = h.payment_request_id
      WHERE h.step = 1 GROUP BY h.payment_request_id HAVING count(k.id) <> 1`,
  },
  {
    name: 'pruned-requests-ended-unpaid',
    promise:
      'Every pruned request had been expired for at least a day according to its history and an event, and no ' +
      'record shows that money was received.',
    breaches: `SELECT p.id FROM payments.pruned_requests p
      WHERE p.pruned_at < p.counts_until + interval '1 day'
        OR (SELECT h.status FROM payments.status_history h WHERE h.payment_request_id = p.id
          ORDER BY h.step DESC LIMIT 1) IS DISTINCT FROM 'expired'
        OR EXISTS (SELECT FROM payments.status_history h
          WHERE h.payment_request_id = p.id AND h.status NOT IN ('pending', 'created', 'expired'))
        OR NOT EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = p.id
          AND e.type = 'payment_request.status_changed' AND e.data ->> 'status' = 'expired')
        OR EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = p.id AND e.type NOT IN
          ('payment_request.status_changed', 'payment_request.asset_selected', 'payment_request.window_closed'))`,
  },
  {
    name: 'pruned-addresses-are-those-shown',
    promise: 'Every address that was displayed for a pruned request is still watched, and no other address.',
    breaches: `SELECT p.id, e.data ->> 'uniqueAssetId' AS unique_asset_id
      FROM payments.pruned_requests p JOIN platform.events e ON e.aggregate_id = p.id
      WHERE e.type = 'payment_request.asset_selected' AND NOT ${hasAddressSql(
        `(a.network, s.value ->> 'unique_asset_id', a.amount::text)
            = (e.data ->> 'network', e.data ->> 'uniqueAssetId', e.data ->> 'amount')`,
      )}
      UNION ALL
      SELECT p.id, v.value ->> 'unique_asset_id'
      FROM payments.pruned_requests p JOIN payments.pruned_values v ON v.id = p.request_value
      WHERE ${HAD_AN_ADDRESS} <> ${hasAddressSql(`(a.network, s.value ->> 'unique_asset_id', a.amount)
            = (v.value ->> 'network', v.value ->> 'unique_asset_id', p.amount)`)}
        OR NOT ${HAD_AN_ADDRESS} AND ${hasAddressSql('true')}`,
  },
  {
    name: 'pruned-values-are-as-digested',
    promise: 'The shared values of pruned requests are unchanged since pruning.',
    breaches: `SELECT id FROM payments.pruned_values WHERE digest <> sha256(convert_to(value::text, 'UTF8'))`,
  },
];
