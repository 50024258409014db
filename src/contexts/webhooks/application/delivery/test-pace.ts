import type { WebhookId } from '../../../../shared/kernel/ids.js';

/** How often a webhook may be tested, so that nobody uses this service to flood a host. */
export abstract class TestPace {
  /** Takes one test of this webhook. @throws RateLimited */
  abstract take(webhook: WebhookId): void;
}
