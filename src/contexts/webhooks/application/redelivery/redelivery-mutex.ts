import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import { KeyedTurns } from '#shared/kernel/keyed-turns.js';

/** For each webhook, and for the replays of each organization. */
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
  private readonly replays = new KeyedTurns(MAX_WAITING);

  /** @throws RateLimited where too many wait already */
  resend<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    return this.queues.run(webhook, work) ?? Promise.reject(new RateLimited(1));
  }

  /** One in this process, each organization in turn. @throws RateLimited where too many of the organization wait already */
  replay<T>(organization: OrganizationId, webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    const turn = this.replays.run(organization, () => this.resend(webhook, work));
    return turn ?? Promise.reject(new RateLimited(WAIT_SECONDS));
  }
}
