import type { SubscriptionId } from '#shared/kernel/ids.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/optional-columns.js';
import { Charge, type ChargeRequest, type ChargeState } from '../../domain/charge.js';
import { KNOWN_CHARGES } from '../../domain/retry-schedule.js';

/**
 * Of the subscriptions $1 the last charges, the last one that was paid or missed, and those that are open or that the payment
 * requests $2 belong to; of each charge the requests that have not ended, and those of $2.
 */
export const LOAD_CHARGES = `
WITH wanted AS (
  SELECT last.id FROM UNNEST($1::uuid[]) s (id) CROSS JOIN LATERAL (
    SELECT c.id FROM subscriptions.charges c WHERE c.subscription_id = s.id
    ORDER BY c.number DESC LIMIT ${KNOWN_CHARGES}) last
  UNION
  SELECT judged.id FROM UNNEST($1::uuid[]) s (id) CROSS JOIN LATERAL (
    SELECT c.id FROM subscriptions.charges c
    WHERE c.subscription_id = s.id AND (c.status = 'paid' OR c.missed_at IS NOT NULL)
    ORDER BY c.number DESC LIMIT 1) judged
  UNION
  SELECT c.id FROM subscriptions.charges c WHERE c.subscription_id = ANY ($1::uuid[]) AND c.status = 'open'
  UNION
  SELECT r.charge_id FROM subscriptions.charge_requests r WHERE r.payment_request_id = ANY ($2::uuid[])
)
SELECT c.id, c.subscription_id, c.number, c.due_at, c.closes_at, c.status,
  c.next_try, c.counted_tries, c.missed_at, c.paid_at,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', r.payment_request_id, 'attempt', r.attempt, 'status', r.status,
      'plannedAt', r.planned_at, 'windowCut', r.window_cut) ORDER BY r.payment_request_id)
    FROM subscriptions.charge_requests r WHERE r.charge_id = c.id
      AND (r.status IN ('planned', 'open', 'dropped') OR r.payment_request_id = ANY ($2::uuid[]))), '[]') AS requests
FROM subscriptions.charges c JOIN wanted USING (id)
ORDER BY c.subscription_id, c.number`;

type Columns = Omit<ChargeState, 'requests'>;
type RequestJson = Omit<RowOf<ChargeRequest>, 'plannedAt'> & { readonly plannedAt: string };

export type ChargeRow = RowOf<Columns> & {
  readonly subscriptionId: SubscriptionId;
  readonly requests: readonly RequestJson[];
};

export function chargeFromRow({ subscriptionId: _, requests, ...row }: ChargeRow): Charge {
  return Charge.restore({
    ...withoutNulls<Columns>(row),
    requests: requests.map(({ plannedAt, ...request }) => ({
      ...withoutNulls<Omit<ChargeRequest, 'plannedAt'>>(request),
      plannedAt: new Date(plannedAt),
    })),
  });
}
