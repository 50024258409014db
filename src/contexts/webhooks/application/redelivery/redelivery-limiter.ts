import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import { KeyedSemaphore } from '#shared/kernel/keyed-semaphore.js';
import { RoundRobinMutex } from '#shared/kernel/round-robin-mutex.js';

/** Waiting resends and replays per webhook, and replays per organization. */
const MAX_WAITING_REDELIVERIES = 20;
const RETRY_AFTER_SECONDS = 2;

/**
 * Runs one resend or replay of a webhook at a time. Some others wait, and all further ones are rejected: they lock the
 * same rows, so many of them would occupy all database connections.
 */
@Injectable()
export class RedeliveryLimiter {
  private readonly queues = new KeyedSemaphore(1, MAX_WAITING_REDELIVERIES);
  private readonly replays = new RoundRobinMutex(MAX_WAITING_REDELIVERIES);

  resend<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    return this.queues.run(webhook, work) ?? Promise.reject(new RateLimited(1));
  }

  /** Alternates between organizations. @throws RateLimited if too many replays of the organization wait */
  replay<T>(organization: OrganizationId, webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    const turn = this.replays.run(organization, () => this.resend(webhook, work));
    return turn ?? Promise.reject(new RateLimited(RETRY_AFTER_SECONDS));
  }
}
