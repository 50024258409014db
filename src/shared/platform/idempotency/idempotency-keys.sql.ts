import type { AnsweredIdempotencyKey, IdempotencyKeyUse } from '../../kernel/idempotent-creation.js';
import { namedParameterStatement } from '../database/sql-statements.js';

export const IDEMPOTENCY_KEY_HOURS = 24;
export const IDEMPOTENCY_KEY_LIFETIME = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/** Longer than any execution that acts outside the database takes. */
const HOLD_TIME = `interval '10 seconds'`;

/**
 * Condition: the row `k` has an answer or another execution's reservation. @param at SQL parameter with the current
 * time @param execution SQL parameter with the execution id
 */
const isKeyTakenSql = (at: string, execution: string) =>
  `k.created_at > ${at}::timestamptz - ${IDEMPOTENCY_KEY_LIFETIME}
     AND (k.answer IS NOT NULL OR k.execution_id <> ${execution}::uuid AND k.held_until > clock_timestamp())`;

/** Fails immediately if another transaction uses the key. The unique index would make the statement wait instead. */
const tryLockKey = (credential: string, key: string) =>
  `pg_try_advisory_xact_lock(hashtextextended(${credential}::uuid || ' ' || ${key}::text, 1))`;

/**
 * Returns one row if the key is stored. Parameters: the fields of `AnsweredIdempotencyKey`. @param source `FROM …` that yields
 * one row if the object is to be created
 */
export const insertIdempotencyKeySql = (source: string) => `INSERT INTO platform.idempotency_keys AS k
    (credential_id, key, operation, request_digest, execution_id, created_at, object_id, answer)
  SELECT $credentialId::uuid, $key::text, $operation::text, $requestDigest::bytea, $executionId::uuid,
    $at::timestamptz, $objectId::uuid, $answer::text
  ${source} AND ${tryLockKey('$credentialId', '$key')}
  ON CONFLICT (credential_id, key) DO UPDATE SET operation = EXCLUDED.operation,
    request_digest = EXCLUDED.request_digest, execution_id = EXCLUDED.execution_id, created_at = EXCLUDED.created_at,
    object_id = EXCLUDED.object_id, answer = EXCLUDED.answer, held_until = NULL
  WHERE NOT (${isKeyTakenSql('$at', '$executionId')})
  RETURNING true AS stored`;

export const insertIdempotencyKeyStatement = namedParameterStatement<AnsweredIdempotencyKey>(
  insertIdempotencyKeySql('FROM (SELECT) one_row WHERE true'),
);

export function reserveKeyParameters({
  credentialId,
  key,
  operation,
  requestDigest,
  executionId,
  at,
}: IdempotencyKeyUse): unknown[] {
  return [credentialId, key, operation, requestDigest, executionId, at];
}

/** Excludes other executions with this key until the unit of work ends. */
export const LOCK_IDEMPOTENCY_KEY = `
SELECT ${tryLockKey('$1', '$2')} AND NOT EXISTS (
  SELECT FROM platform.idempotency_keys k
  WHERE k.credential_id = $1 AND k.key = $2 AND ${isKeyTakenSql('$4', '$3')}) AS free`;

/**
 * The answer may be committed only on this server. The emitted message is a later commit, so the statement returns
 * only when replicas have both.
 */
export const FIND_IDEMPOTENCY_KEY = `
SELECT request_digest, answer, CASE WHEN answer IS NOT NULL THEN pg_logical_emit_message(true, 'key', '') END AS confirmed,
  CASE WHEN answer IS NOT NULL THEN pg_current_xact_id()::text END AS writing_transaction_id
FROM platform.idempotency_keys k
WHERE k.credential_id = $1 AND k.key = $2 AND ${isKeyTakenSql('$4', '$3')}`;

export const RESERVE_IDEMPOTENCY_KEY = `
INSERT INTO platform.idempotency_keys AS k
  (credential_id, key, operation, request_digest, execution_id, created_at, held_until)
SELECT $1::uuid, $2::text, $3::text, $4::bytea, $5::uuid, $6::timestamptz, clock_timestamp() + ${HOLD_TIME}
WHERE ${tryLockKey('$1', '$2')}
ON CONFLICT (credential_id, key) DO UPDATE SET operation = EXCLUDED.operation,
  request_digest = EXCLUDED.request_digest, execution_id = EXCLUDED.execution_id, created_at = EXCLUDED.created_at,
  object_id = NULL, answer = NULL, held_until = EXCLUDED.held_until
WHERE NOT (${isKeyTakenSql('$6', '$5')})
RETURNING true AS held`;

export const RELEASE_IDEMPOTENCY_KEY = `
DELETE FROM platform.idempotency_keys
WHERE credential_id = $1 AND key = $2 AND execution_id = $3 AND answer IS NULL`;

/** $1: maximum number of rows. Uses row locations (ctid), because PostgreSQL planned a join as a scan of all keys. */
export const PRUNE_IDEMPOTENCY_KEYS = `
DELETE FROM platform.idempotency_keys WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM platform.idempotency_keys
  WHERE created_at <= platform.now() - ${IDEMPOTENCY_KEY_LIFETIME} ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING credential_id`;
