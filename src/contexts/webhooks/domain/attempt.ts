import type { DeliveryId } from '../../../shared/kernel/ids.js';
import { delayAfter } from './retry-schedule.js';

/** Why an attempt was not acknowledged, as a stable word that merchants see in their log. */
export type AttemptError =
  // No fault of the receiver: the key that opens the secret is away.
  | 'secret_unavailable'
  | 'unresolvable'
  | 'address_not_allowed'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'response_too_large'
  | 'invalid_response'
  | 'http_status';

/** What came of sending. A status comes along with an error where the answer broke off after it. */
export interface SendResult {
  readonly httpStatus?: number;
  readonly error?: AttemptError;
}

/** One attempt, over. */
export interface Attempt {
  readonly deliveryId: DeliveryId;
  /** Counted from 1. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly httpStatus?: number;
  readonly error?: AttemptError;
  /** The delivery's status after it. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Set exactly while the delivery is pending. */
  readonly nextAttemptAt?: Date;
}

/**
 * Only a complete answer with HTTP 200 acknowledges: what is too long or breaks off does not, whatever its status.
 * @param chance in [0, 1), for the spread of the next attempt
 */
export function concludeAttempt(
  attempt: Pick<Attempt, 'deliveryId' | 'number' | 'startedAt' | 'durationMs'>,
  { httpStatus, error }: SendResult,
  chance: number,
): Attempt {
  const answer = { ...attempt, ...(httpStatus === undefined ? {} : { httpStatus }) };
  if (error === undefined && httpStatus === 200) return { ...answer, status: 'delivered' };
  const failed = { ...answer, error: error ?? ('http_status' as const) };
  const delay = delayAfter(attempt.number, chance);
  if (delay === null) return { ...failed, status: 'failed' };
  const endedAt = attempt.startedAt.getTime() + attempt.durationMs;
  return { ...failed, status: 'pending', nextAttemptAt: new Date(endedAt + delay) };
}
