import type { WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from './attempt.js';

/** All attempts during this time must fail before a webhook is marked as failing. */
export const FAILING_AFTER_MS = 5 * 24 * 3_600_000;

const UNSENT_ERRORS: readonly Attempt['error'][] = ['webhook_inactive', 'secret_unavailable'];

export interface ObservedWebhookHealth {
  readonly webhookId: WebhookId;
  readonly acknowledged: boolean;
  readonly firstFailedAt?: Date;
  readonly lastFailedAt?: Date;
}

export function observeHealth(
  attempts: readonly { webhookId: WebhookId; attempt: Attempt }[],
): ObservedWebhookHealth[] {
  const byWebhook = new Map<WebhookId, Attempt[]>();
  for (const { webhookId, attempt } of attempts) {
    if (UNSENT_ERRORS.includes(attempt.error)) continue;
    const ofWebhook = byWebhook.get(webhookId);
    if (ofWebhook === undefined) byWebhook.set(webhookId, [attempt]);
    else ofWebhook.push(attempt);
  }
  return [...byWebhook].map(([webhookId, made]) => ({ webhookId, ...summarizeAttempts(made) }));
}

function summarizeAttempts(attempts: readonly Attempt[]): Omit<ObservedWebhookHealth, 'webhookId'> {
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
