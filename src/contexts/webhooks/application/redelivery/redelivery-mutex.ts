import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';

const REPLAYS = 'replays';
/** For the replays together, and for each webhook. */
const MAX_WAITING = 20;
/** Most replays end within it. */
const WAIT_SECONDS = 2;

/**
 * Runs the resends and replays of this process one after another, before they take a database connection: those of one
 * webhook lock the same rows, and many at once would occupy every connection.
 */
@Injectable()
export class RedeliveryMutex {
  private readonly queues = new KeyedSlots(1, MAX_WAITING);

  /** @throws RateLimited where too many wait already */
  resend<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    return this.queues.run(webhook, work) ?? Promise.reject(new RateLimited(1));
  }

  /** One in this process, whatever its webhook. @throws RateLimited where too many wait already */
  replay<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    const turn = this.queues.run(REPLAYS, () => this.resend(webhook, work));
    return turn ?? Promise.reject(new RateLimited(WAIT_SECONDS));
  }
}
