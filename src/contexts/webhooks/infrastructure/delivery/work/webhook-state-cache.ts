import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import type { DueDelivery } from '#contexts/webhooks/domain/delivery/delivery.js';
import { DeliveryQueue, type ClaimedDelivery, type WebhookState } from '../persistence/delivery-queue.js';

const MAX_STATE_AGE_MS = 100;
const MAX_CACHED_WEBHOOKS = 1_000;

interface CachedWebhookState {
  readonly at: number;
  readonly state: Promise<WebhookState>;
}

/**
 * A claimed delivery may wait for seconds, and its webhook may change. One read serves all attempts within 100 ms.
 */
@Injectable()
export class WebhookStateCache {
  private readonly reads = new Map<WebhookId, CachedWebhookState>();

  constructor(private readonly queue: DeliveryQueue) {}

  /** @param claimedAt monotonic milliseconds */
  async refresh({ delivery, subscribedSince }: ClaimedDelivery, claimedAt: number): Promise<DueDelivery> {
    if (performance.now() - claimedAt < MAX_STATE_AGE_MS) return delivery;
    const { url, secrets, active, subscribedSince: now } = await this.readState(delivery.webhookId);
    return { ...delivery, url, secrets, active: delivery.active && active && now === subscribedSince };
  }

  private readState(webhook: WebhookId): Promise<WebhookState> {
    const known = this.reads.get(webhook);
    if (known !== undefined && performance.now() - known.at < MAX_STATE_AGE_MS) return known.state;
    const state = this.queue.webhookDeliverySettings(webhook);
    if (this.reads.size >= MAX_CACHED_WEBHOOKS) this.reads.clear();
    this.reads.set(webhook, { at: performance.now(), state });
    return state;
  }
}
