import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../../shared/kernel/domain-error.js';
import type { CredentialId } from '../../../../../shared/kernel/ids.js';
import { CallerLimits } from '../../../../../shared/platform/http/caller-limits.js';
import { LookupPace } from '../../../application/explanation/lookup-pace.js';

export const LOOKUPS_PER_MINUTE = 60;

/** Counted by this process alone. */
@Injectable()
export class CountedLookupPace extends LookupPace {
  constructor(private readonly limits: CallerLimits) {
    super();
  }

  override take(credential: CredentialId): void {
    const wait = this.limits.take(`transaction lookup ${credential}`, LOOKUPS_PER_MINUTE);
    if (wait > 0) throw new RateLimited(wait);
  }
}
