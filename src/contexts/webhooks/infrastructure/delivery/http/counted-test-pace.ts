import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../../shared/kernel/domain-error.js';
import type { WebhookId } from '../../../../../shared/kernel/ids.js';
import { CallerLimits } from '../../../../../shared/platform/http/caller-limits.js';
import { TestPace } from '../../../application/delivery/test-pace.js';

export const TESTS_PER_MINUTE = 30;

/** Counted by this process alone. */
@Injectable()
export class CountedTestPace extends TestPace {
  constructor(private readonly limits: CallerLimits) {
    super();
  }

  override take(webhook: WebhookId): void {
    const wait = this.limits.take(`webhook test ${webhook}`, TESTS_PER_MINUTE);
    if (wait > 0) throw new RateLimited(wait);
  }
}
