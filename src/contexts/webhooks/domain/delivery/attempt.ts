import type { DeliveryId } from '#shared/kernel/ids.js';
import type { DeliveryStatus } from './delivery.js';
import { delayAfter } from './delivery-retry-schedule.js';

/** Why an attempt was not acknowledged, as a stable word that merchants see in their log. */
export type AttemptError =
  // Nothing was sent: the webhook was deactivated or deleted meanwhile.
  | 'webhook_inactive'
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

/** The outcome of sending. A status comes along with an error where the answer broke off after it. */
export interface SendResult {
  readonly httpStatus?: number;
  readonly error?: AttemptError;
}

/** One attempt, over. */
export interface Attempt {
  readonly deliveryId: DeliveryId;
  /** Counted from 1, through all that the delivery was ever sent. */
  readonly number: number;
  readonly startedAt: Date;
  /** Absent where nothing was sent. */
  readonly durationMs?: number;
  readonly httpStatus?: number;
  readonly error?: AttemptError;
  /** The delivery's status after it. */
  readonly status: DeliveryStatus;
  /** Set exactly while the delivery is pending. */
  readonly nextAttemptAt?: Date;
}

/** An attempt whose answer is still to be judged. */
export interface MadeAttempt extends Pick<Attempt, 'deliveryId' | 'number' | 'startedAt'> {
  readonly durationMs: number;
}

/** How it continues after a failure. */
export interface RetryPlan {
  /** Attempts that failed before, since the delivery was queued last. */
  readonly failuresBefore: number;
  /** In [0, 1), spreads the next attempt. */
  readonly chance: number;
}

/**
 * Only a complete answer with HTTP 200 acknowledges: what is too long or breaks off does not, whatever its status.
 * @param plan null: it is tried this once
 */
export function concludeAttempt(
  { deliveryId, number, startedAt, durationMs }: MadeAttempt,
  { httpStatus, error }: SendResult,
  plan: RetryPlan | null,
): Attempt {
  const answer = { deliveryId, number, startedAt, durationMs, httpStatus };
  if (error === undefined && httpStatus === 200) return { ...answer, status: 'delivered' };
  const failed = { ...answer, error: error ?? ('http_status' as const) };
  const delay = plan === null ? null : delayAfter(plan.failuresBefore + 1, plan.chance);
  if (delay === null) return { ...failed, status: 'failed' };
  return { ...failed, status: 'pending', nextAttemptAt: new Date(startedAt.getTime() + durationMs + delay) };
}

/** The attempt that ends a delivery that must not be sent any more, as its log shows it. */
export function unsent({ deliveryId, number, startedAt }: Omit<MadeAttempt, 'durationMs'>): Attempt {
  return { deliveryId, number, startedAt, status: 'failed', error: 'webhook_inactive' };
}

export interface WebhookRequest {
  readonly url: URL;
  /** The only address that is connected to; TLS still proves the URL's host name. */
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends one POST, without following redirects, and reads at most 20 kB of the answer. */
export abstract class WebhookTransport {
  /** Takes at most 2 seconds from connecting to the end of the answer. Never throws. */
  abstract post(request: WebhookRequest): Promise<SendResult>;
}
