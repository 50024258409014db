import type { WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from './attempt.js';

/** A webhook is marked failing if all attempts fail for this long. In milliseconds. */
export const FAILING_AFTER_MS = 5 * 24 * 3_600_000;

/** Errors without a request, for which the receiver is not responsible. */
const UNSENT_ERRORS: readonly Attempt['error'][] = ['webhook_inactive', 'secret_unavailable'];

/** Health of a webhook over a set of attempts. Attempts without a request do not count. */
export interface Health {
  readonly webhookId: WebhookId;
  readonly acknowledged: boolean;
  /** First failure after the last acknowledged attempt. Absent if there is none. */
  readonly firstFailedAt?: Date;
  readonly lastFailedAt?: Date;
}

/** Summarizes attempts per webhook. Their order does not matter. */
export function healthOf(attempts: readonly { webhookId: WebhookId; attempt: Attempt }[]): Health[] {
  const byWebhook = new Map<WebhookId, Attempt[]>();
  for (const { webhookId, attempt } of attempts) {
    if (UNSENT_ERRORS.includes(attempt.error)) continue;
    const ofWebhook = byWebhook.get(webhookId);
    if (ofWebhook === undefined) byWebhook.set(webhookId, [attempt]);
    else ofWebhook.push(attempt);
  }
  return [...byWebhook].map(([webhookId, made]) => ({ webhookId, ...sumUp(made) }));
}

function sumUp(attempts: readonly Attempt[]): Omit<Health, 'webhookId'> {
  const times = (delivered: boolean) =>
    attempts
      .filter(({ status }) => (status === 'delivered') === delivered)
      .map(({ startedAt }) => startedAt.getTime());
  const acknowledgedAt = Math.max(...times(true));
  const failed = times(false).filter((time) => time > acknowledgedAt);
  const acknowledged = acknowledgedAt > -Infinity;
  if (failed.length === 0) return { acknowledged };
  return {
    acknowledged,
    firstFailedAt: new Date(Math.min(...failed)),
    lastFailedAt: new Date(Math.max(...failed)),
  };
}
