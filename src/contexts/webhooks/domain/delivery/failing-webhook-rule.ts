import type { WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from './attempt.js';

/** Nothing but failures for this long, and the webhook is marked failing (in milliseconds). */
export const FAILING_AFTER_MS = 5 * 24 * 3_600_000;

/** Nothing was sent, for reasons that are not the receiver's. */
const UNSENT_ERRORS: readonly Attempt['error'][] = ['webhook_inactive', 'secret_unavailable'];

/** A webhook's health by some of its attempts. Attempts at which nothing was sent do not count. */
export interface Health {
  readonly webhookId: WebhookId;
  readonly acknowledged: boolean;
  /** The first failure after the last acknowledged attempt; absent where none failed after it. */
  readonly firstFailedAt?: Date;
  readonly lastFailedAt?: Date;
}

/** Sums up attempts by webhook, whatever their order. */
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
