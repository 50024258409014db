import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError, RateLimited } from '../../../../../shared/kernel/domain-error.js';
import { CallerAddress, callerRange } from '../../../../../shared/platform/http/callers/caller-address.js';
import { CallerLimits } from '../../../../../shared/platform/http/callers/caller-limits.js';
import { NotFoundWithoutGuess } from '../../../application/checkout/session-access-rule.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';

/**
 * Rate limits of callers without a credential, counted by this process alone. A caller with too many misses is guessing
 * session ids and is refused for existing ones too.
 */
@Injectable()
export class PublicCallers {
  constructor(
    private readonly limits: CallerLimits,
    private readonly addresses: CallerAddress,
    private readonly settings: CheckoutSettings,
  ) {}

  /** Counts one request of this caller for a session or link. @returns 0, or the wait, in which case none is counted */
  waitFor(request: IncomingMessage, id: string): number {
    const caller = this.callerOf(request);
    const { requests, addressRequests, misses } = this.settings.limits;
    const wait =
      this.limits.spent(`missed ${caller}`, misses) ||
      this.limits.spent(`public ${caller}`, addressRequests) ||
      this.limits.take(`public ${caller} ${id.slice(0, 64)}`, requests);
    return wait || this.limits.take(`public ${caller}`, addressRequests);
  }

  /**
   * Runs `ask` within the caller's limits, and counts a `not_found` as a miss.
   * @throws RateLimited, and what `ask` throws
   */
  async limited<T>(request: IncomingMessage, id: string, ask: () => Promise<T>): Promise<T> {
    const wait = this.waitFor(request, id);
    if (wait > 0) throw new RateLimited(wait);
    try {
      return await ask();
    } catch (error) {
      if (isMiss(error)) this.limits.take(`missed ${this.callerOf(request)}`, this.settings.limits.misses);
      throw error;
    }
  }

  /** What a caller is counted under. */
  callerOf(request: IncomingMessage): string {
    return callerRange(this.addresses.of(request));
  }
}

function isMiss(error: unknown): boolean {
  return (
    error instanceof DomainError && error.kind === 'not_found' && !(error instanceof NotFoundWithoutGuess)
  );
}
