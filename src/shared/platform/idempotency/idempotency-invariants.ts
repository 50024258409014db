import type { Invariant } from '../../kernel/invariant.js';

export const idempotencyInvariants: Invariant[] = [
  {
    name: 'idempotency-keys-are-pruned',
    promise: 'No idempotency key is kept for more than an hour after its validity of 24 hours.',
    breaches: `SELECT credential_id, key, created_at FROM platform.idempotency_keys
      WHERE created_at < platform.now() - interval '25 hours'`,
  },
  {
    name: 'idempotency-keys-hold-no-secret',
    promise: 'No response stored for an idempotency key contains a secret or a link to claim a refund.',
    breaches: `SELECT credential_id, key, operation FROM platform.idempotency_keys 
      WHERE answer::jsonb ?| ARRAY['secret', 'claim_url']`,
  },
];
