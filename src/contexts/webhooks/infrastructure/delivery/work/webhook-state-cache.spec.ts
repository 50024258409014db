import { describe, expect, it } from '@jest/globals';
import type { ClaimedDelivery, DeliveryQueue } from '../persistence/delivery-queue.js';
import { WebhookStateCache } from './webhook-state-cache.js';

const claimed = {
  delivery: { webhookId: 'w', url: 'https://shop.example/before', active: true },
  subscribedSince: '7',
} as unknown as ClaimedDelivery;

describe('A delivery that waited for its attempt', () => {
  it.each([
    [{ active: true, subscribedSince: '7' }, true],
    [{ active: false, subscribedSince: '7' }, false],
    [{ active: true, subscribedSince: '9' }, false],
  ])('is sent only if its webhook was active the entire time: now %j', async (now, active) => {
    const queue = {
      webhookDeliverySettings: async () => ({ url: 'https://shop.example/now', secrets: {}, ...now }),
    };
    const cache = new WebhookStateCache(queue as unknown as DeliveryQueue);

    expect(await cache.refresh(claimed, performance.now() - 1_000)).toMatchObject({
      ...{ url: 'https://shop.example/now', active },
    });
  });
});
