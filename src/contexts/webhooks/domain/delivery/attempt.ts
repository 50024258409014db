import type { DeliveryId } from '#shared/kernel/ids.js';
import type { DeliveryStatus } from './delivery.js';

/** Merchants see this code in their log, so it never changes. */
export type AttemptError =
  | 'webhook_inactive'
  // The receiver is not at fault.
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

/** Has a status and an error if the connection broke off within the response. */
export interface SendResult {
  readonly httpStatus?: number;
  readonly error?: AttemptError;
}

export interface Attempt {
  readonly deliveryId: DeliveryId;
  /** Counted from 1 over the whole delivery, including resends. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs?: number;
  readonly httpStatus?: number;
  readonly error?: AttemptError;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt?: Date;
}

export interface FinishedAttempt extends Pick<Attempt, 'deliveryId' | 'number' | 'startedAt'> {
  readonly durationMs: number;
}

export interface RetryPlan {
  readonly failuresBefore: number;
  /** In [0, 1), so that retries do not all happen at the same time. */
  readonly chance: number;
}

/**
 * Only a complete response with HTTP 200 acknowledges a delivery. @param plan null if a failed delivery is not
 * retried
 */
export function concludeAttempt(
  { deliveryId, number, startedAt, durationMs }: FinishedAttempt,
  { httpStatus, error }: SendResult,
  plan: RetryPlan | null,
): Attempt {
  const answer = { deliveryId, number, startedAt, durationMs, httpStatus };
  if (error === undefined && httpStatus === 200) return { ...answer, status: 'delivered' };
  const failed = { ...answer, error: error ?? ('http_status' as const) };
  const delay = plan === null ? null : retryDelayAfter(plan.failuresBefore + 1, plan.chance);
  if (delay === null) return { ...failed, status: 'failed' };
  return { ...failed, status: 'pending', nextAttemptAt: new Date(startedAt.getTime() + durationMs + delay) };
}

export function failUnsentAttempt({
  deliveryId,
  number,
  startedAt,
}: Omit<FinishedAttempt, 'durationMs'>): Attempt {
  return { deliveryId, number, startedAt, status: 'failed', error: 'webhook_inactive' };
}

export interface WebhookRequest {
  readonly url: URL;
  /** Already validated. TLS still verifies the host name of the URL. */
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** No redirects; reads at most 20 kB of the response. */
export abstract class WebhookTransport {
  /** At most 2 seconds. Never throws. */
  abstract post(request: WebhookRequest): Promise<SendResult>;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** No retry follows the attempt after the last delay. */
const RETRY_DELAYS_SECONDS = [
  5,
  30,
  2 * MINUTE_SECONDS,
  10 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  24 * HOUR_SECONDS,
];
const RETRY_DELAY_SPREAD = 0.2;

/**
 * Varied randomly, so that deliveries that failed together are not retried together. @param attempt from 1 @param
 * chance in [0, 1) @returns milliseconds, or null after the last attempt
 */
function retryDelayAfter(attempt: number, chance: number): number | null {
  const seconds = RETRY_DELAYS_SECONDS[attempt - 1];
  return seconds === undefined
    ? null
    : Math.round(seconds * 1000 * (1 - RETRY_DELAY_SPREAD + 2 * RETRY_DELAY_SPREAD * chance));
}
