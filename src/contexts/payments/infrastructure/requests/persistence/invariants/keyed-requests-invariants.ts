import type { Invariant } from '#shared/kernel/invariant.js';

/** Requests against the idempotency keys under which they were created. */
export const keyedRequestsInvariants: Invariant[] = [
  {
    name: 'idempotency-keys-have-their-request',
    promise:
      'Every idempotency key that was answered with a payment request or a checkout names one that exists.',
    breaches: `SELECT k.credential_id, k.key, k.object_id FROM platform.idempotency_keys k
      LEFT JOIN payments.known_requests r ON r.id = k.object_id
      WHERE k.operation LIKE 'POST /v1/pos/:posID/payment-request%' AND k.answer IS NOT NULL
        AND (r.id IS NULL OR k.answer::jsonb ->> 'id' IS DISTINCT FROM r.id::text)`,
  },
];
