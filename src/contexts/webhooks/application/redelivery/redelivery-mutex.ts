import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../shared/kernel/domain-error.js';
import type { WebhookId } from '../../../../shared/kernel/ids.js';
import { OneAtATime } from '../../../../shared/kernel/one-at-a-time.js';

const REPLAYS = 'replays';
/** For the replays together, and for each webhook. */
const MOST = 20;
/** Most replays end within it. */
const WAIT_SECONDS = 2;

/**
 * Lets resends and replays take turns before they take a connection to the database: those of one webhook hold the
 * same rows, and many at once would leave no connection for anybody else.
 */
@Injectable()
export class RedeliveryTurns {
  private readonly turns = new OneAtATime(MOST);

  /** @throws RateLimited where too many wait already */
  resend<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    return this.turns.run(webhook, work) ?? Promise.reject(new RateLimited(1));
  }

  /** One in this process, whatever its webhook. @throws RateLimited where too many wait already */
  replay<T>(webhook: WebhookId, work: () => Promise<T>): Promise<T> {
    const turn = this.turns.run(REPLAYS, () => this.resend(webhook, work));
    return turn ?? Promise.reject(new RateLimited(WAIT_SECONDS));
  }
}
