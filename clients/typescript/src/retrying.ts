import { setTimeout as pause } from 'node:timers/promises';
import { PaymentCollectionError, parseRetryAfter } from './payment-collection-error.js';

export interface RetryPolicy {
  /** Maximum number of attempts, including the first. Default: 4. */
  readonly attempts: number;
  /**
   * Delay before the second attempt, in milliseconds. Doubles for each further attempt and is randomly reduced by up to half.
   * Default: 500.
   */
  readonly firstDelay: number;
  /** Maximum delay, in milliseconds. A longer `Retry-After` ends the attempts. Default: 30,000. */
  readonly maxDelay: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 4, firstDelay: 500, maxDelay: 30_000 };

export interface RetryableRequest {
  readonly origin: string;
  /** True if the request can be retried: every method except POST, POST with a key, and idempotent POST. */
  readonly isSafe: boolean;
  readonly isKeyed: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses of temporary errors. */
const TEMPORARY_STATUSES = [408, 429, 502, 503, 504];

/**
 * Sends a request and retries it after a missing response or a temporary error.
 * @returns the last response, including errors @throws PaymentCollectionError `unreachable`; the signal's reason if the signal aborts
 */
export async function withRetries(
  policy: RetryPolicy,
  { origin, isSafe, isKeyed, signal }: RetryableRequest,
  send: () => Promise<Response>,
): Promise<Response> {
  const attempts = isSafe ? policy.attempts : 1;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    let delay = backoff(policy, attempt);
    try {
      const response = await send();
      if (attempt >= attempts || !isTemporary(response, isKeyed)) return response;
      const asked = parseRetryAfter(response.headers.get('retry-after'));
      // The random part spreads clients that were rejected at the same time.
      if (asked !== undefined) delay = asked * 1_000 + Math.random() * policy.firstDelay;
      if (asked !== undefined && asked * 1_000 > policy.maxDelay) return response;
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= attempts) throw PaymentCollectionError.unreachable(origin, attempt, error);
    }
    await pause(delay, undefined, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
}

/** @returns whether a retry may succeed; with an idempotency key, a retry is also safe after a 500 */
function isTemporary({ status, headers }: Response, isKeyed: boolean): boolean {
  if (TEMPORARY_STATUSES.includes(status)) return true;
  if (!isKeyed) return false;
  // `idempotency_in_progress` is the only 409 with a `Retry-After`.
  return status === 500 || (status === 409 && headers.has('retry-after'));
}

function backoff({ firstDelay, maxDelay }: RetryPolicy, attempt: number): number {
  const delay = Math.min(firstDelay * 2 ** (attempt - 1), maxDelay);
  return delay * (0.5 + Math.random() / 2);
}
