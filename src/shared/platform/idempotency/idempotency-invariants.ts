import type { Invariant } from '../../kernel/invariant.js';

export const idempotencyInvariants: Invariant[] = [
  {
    name: 'idempotency-keys-are-pruned',
    promise: 'No idempotency key is kept for more than an hour longer than the 24 hours that it stands.',
    breaches: `SELECT credential_id, key, created_at FROM platform.idempotency_keys
      WHERE created_at < platform.now() - interval '25 hours'`,
  },
  {
    name: 'idempotency-keys-hold-no-secret',
    promise: 'No answer that is stored for a repetition has a secret, or the page of a claim.',
    breaches: `SELECT credential_id, key, operation FROM platform.idempotency_keys 
      WHERE answer::jsonb ?| ARRAY['secret', 'claim_url']`,
  },
];
