import type { Tampering } from './tampering.js';

/** An idempotency key, put in. @param object an expression, the id of what it was answered with */
const put = (object: string, answer: string, age: string) => `INSERT INTO platform.idempotency_keys
    (credential_id, key, operation, request_digest, execution_id, object_id, answer, created_at)
  SELECT gen_random_uuid(), 'forged', 'POST /v1/pos/:posID/payment-request', sha256('forged'), gen_random_uuid(), id,
    ${answer}, platform.now() - interval '${age}' FROM (SELECT ${object} AS id) o`;

const SOME_REQUEST = `(SELECT id FROM payments.payment_requests ORDER BY id LIMIT 1)`;

export const keyTamperings: readonly Tampering[] = [
  {
    name: 'idempotency key of a nonexistent request',
    sql: put('gen_random_uuid()', `jsonb_build_object('id', id)::text`, '1 hour'),
    reportedBy: ['idempotency-keys-have-their-request'],
  },
  {
    name: 'request returned for an idempotency key',
    sql: put(SOME_REQUEST, `jsonb_build_object('id', gen_random_uuid())::text`, '1 hour'),
    reportedBy: ['idempotency-keys-have-their-request'],
  },
  {
    name: 'idempotency key, kept too long',
    sql: put(SOME_REQUEST, `jsonb_build_object('id', id)::text`, '26 hours'),
    reportedBy: ['idempotency-keys-are-pruned'],
  },
  {
    name: 'secret in the stored answer of an idempotency key',
    sql: put(SOME_REQUEST, `jsonb_build_object('id', id, 'secret', 'known')::text`, '1 hour'),
    reportedBy: ['idempotency-keys-hold-no-secret'],
  },
];
