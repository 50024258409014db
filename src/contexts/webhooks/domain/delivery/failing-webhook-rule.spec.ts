import { describe, expect, it } from '@jest/globals';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from './attempt.js';
import { observeHealth } from './failing-webhook-rule.js';

const webhookId = '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70' as WebhookId;
const other = '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d71' as WebhookId;
const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 8, 0, second));

function made(second: number, outcome: Pick<Attempt, 'status' | 'error'>, of = webhookId) {
  const attempt = { deliveryId: '0193b2f4-0000-7000-8000-000000000001' as DeliveryId, number: 1 };
  return { webhookId: of, attempt: { ...attempt, startedAt: at(second), ...outcome } };
}
const acknowledged = (second: number) => made(second, { status: 'delivered' });
const retried = (second: number) => made(second, { status: 'pending', error: 'timeout' });
const givenUp = (second: number) => made(second, { status: 'failed', error: 'http_status' });

describe('The health of a webhook', () => {
  it('reports acknowledgements', () => {
    expect(observeHealth([acknowledged(1), acknowledged(2)])).toEqual([{ webhookId, acknowledged: true }]);
  });

  it('reports the first and the last failure without an acknowledgement', () => {
    expect(observeHealth([retried(3), givenUp(7), retried(1)])).toEqual([
      { webhookId, acknowledged: false, firstFailedAt: at(1), lastFailedAt: at(7) },
    ]);
  });

  it('starts again with each acknowledgement, without failures before it or at the same time', () => {
    expect(observeHealth([retried(1), retried(9), acknowledged(5), retried(5), retried(6)])).toEqual([
      { webhookId, acknowledged: true, firstFailedAt: at(6), lastFailedAt: at(9) },
    ]);
    expect(observeHealth([retried(1), acknowledged(2)])).toEqual([{ webhookId, acknowledged: true }]);
  });

  it('does not count an attempt without a request', () => {
    const unsent = made(1, { status: 'failed', error: 'webhook_inactive' });

    expect(observeHealth([unsent])).toEqual([]);
    expect(observeHealth([unsent, retried(2)])).toMatchObject([
      { firstFailedAt: at(2), lastFailedAt: at(2) },
    ]);
  });

  it('does not count an attempt without an available secret', () => {
    const locked = made(3, { status: 'pending', error: 'secret_unavailable' });

    expect(observeHealth([locked])).toEqual([]);
    expect(observeHealth([retried(1), locked])).toMatchObject([
      { firstFailedAt: at(1), lastFailedAt: at(1) },
    ]);
  });

  it('is separate for each webhook', () => {
    const theirs = made(4, { status: 'delivered' }, other);

    expect(observeHealth([retried(1), theirs, retried(2)])).toEqual([
      { webhookId, acknowledged: false, firstFailedAt: at(1), lastFailedAt: at(2) },
      { webhookId: other, acknowledged: true },
    ]);
  });
});
