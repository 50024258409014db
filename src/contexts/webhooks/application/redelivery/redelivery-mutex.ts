import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import { KeyedTurns } from '#shared/kernel/keyed-turns.js';

/** Maximum number of waiting resends and replays per webhook, and of waiting replays per organization. */
const MAX_WAITING_REDELIVERIES = 20;
/** Time that clients are told to wait before they try again. Most replays finish within it. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Serializes the resends and replays of this process before they take a database connection. Resends and replays of
 * one webhook lock the same rows, so many of them together would occupy all connections.
 */
@Injectable()
export class RedeliveryMutex {
  private readonly queues = new KeyedSlots(1, MAX_WAITING_REDELIVERIES);
  private readonly replays = new KeyedTurns(MAX_WAITING_REDELIVERIES);

  /** @throws RateLimited if too many resends and replays of the webhook are already waiting */
  resend<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    return this.queues.run(webhook, work) ?? Promise.reject(new RateLimited(1));
  }

  /**
   * Runs one replay at a time in this process, alternating between organizations.
   * @throws RateLimited if too many replays of the organization are already waiting
   */
  replay<T>(organization: OrganizationId, webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    const turn = this.replays.run(organization, () => this.resend(webhook, work));
    return turn ?? Promise.reject(new RateLimited(RETRY_AFTER_SECONDS));
  }
}
