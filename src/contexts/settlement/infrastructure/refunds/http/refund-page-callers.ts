import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, RateLimited } from '../../../../../shared/kernel/domain-error.js';
import type { RatePolicy } from '../../../../../shared/kernel/rate-limits.js';
import { CallerAddress, callerRange } from '../../../../../shared/platform/http/callers/caller-address.js';
import { CallerLimits, perMinutePolicy } from '../../../../../shared/platform/http/callers/caller-limits.js';
import { RefundSettings } from '../../../application/refunds/refund-settings.js';

/**
 * Rate limits of the claim page, counted under the same names as those of the other pages without a credential: a caller who
 * guesses at both is one who guesses.
 */
@Injectable()
export class RefundPageCallers {
  private readonly ofClaim: RatePolicy;
  private readonly ofAddress: RatePolicy;
  private readonly ofMisses: RatePolicy;

  constructor(
    private readonly limits: CallerLimits,
    private readonly addresses: CallerAddress,
    settings: RefundSettings,
  ) {
    const { requests, addressRequests, misses } = settings.limits;
    this.ofClaim = perMinutePolicy('session', requests);
    this.ofAddress = perMinutePolicy('address', addressRequests);
    this.ofMisses = perMinutePolicy('not-found', misses);
  }

  /** Runs `ask` within the caller's limits, and counts a `not_found` as a miss. @throws RateLimited, and what `ask` throws */
  async limited<T>(request: Request, claim: string, ask: () => Promise<T>): Promise<T> {
    const caller = callerRange(this.addresses.of(request));
    const guessed = this.limits.spent(`missed ${caller}`, this.ofMisses.quota);
    if (guessed > 0) throw new RateLimited(guessed, this.ofMisses);
    this.take(`public ${caller}`, this.ofAddress);
    this.take(`public ${caller} ${claim.slice(0, 64)}`, this.ofClaim);
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found')
        this.limits.take(`missed ${caller}`, this.ofMisses.quota);
      throw error;
    }
  }

  private take(key: string, policy: RatePolicy): void {
    const wait = this.limits.take(key, policy.quota);
    if (wait > 0) throw new RateLimited(wait, policy);
  }
}
