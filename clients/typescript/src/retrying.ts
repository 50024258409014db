import { setTimeout as pause } from 'node:timers/promises';
import { PaymentCollectionError, secondsOf } from './payment-collection-error.js';

export interface RetryPolicy {
  /** How often a request is sent at most, the first time included. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled for each later one, and shortened by up to a half at random. */
  readonly firstDelay: number;
  /** Milliseconds that are waited at most. A longer `Retry-After` ends the retries. */
  readonly maxDelay: number;
}

export const DEFAULT_RETRIES: RetryPolicy = { attempts: 4, firstDelay: 500, maxDelay: 30_000 };

export interface Repeatable {
  readonly origin: string;
  /** True where repeating does no harm: for any method but POST, and for a POST with a key. */
  readonly isSafe: boolean;
  readonly isKeyed: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Statuses that may pass by themselves. */
const PASSING = [408, 429, 502, 503, 504];

/**
 * Sends a request again while its answer was lost, or says that it may pass by itself.
 * @returns the last answer, whatever it says @throws PaymentCollectionError `unreachable`, or the signal's reason
 */
export async function withRetries(
  policy: RetryPolicy,
  { origin, isSafe, isKeyed, signal }: Repeatable,
  send: () => Promise<Response>,
): Promise<Response> {
  const attempts = isSafe ? policy.attempts : 1;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    let delay = backoff(policy, attempt);
    try {
      const response = await send();
      if (attempt >= attempts || !mayPass(response, isKeyed)) return response;
      const asked = secondsOf(response.headers.get('retry-after'));
      // Those who were refused together do not come back together.
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

/** Under a key, a repetition after an unexpected error finds what was created, or creates it. */
function mayPass({ status, headers }: Response, isKeyed: boolean): boolean {
  if (PASSING.includes(status)) return true;
  if (!isKeyed) return false;
  // Of the conflicts only `idempotency_in_progress` says when to come again.
  return status === 500 || (status === 409 && headers.has('retry-after'));
}

function backoff({ firstDelay, maxDelay }: RetryPolicy, attempt: number): number {
  const delay = Math.min(firstDelay * 2 ** (attempt - 1), maxDelay);
  return delay * (0.5 + Math.random() / 2);
}
