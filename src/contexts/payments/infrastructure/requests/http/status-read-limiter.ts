import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { CallerRateLimits, CallerRateLimit } from '#shared/platform/http/callers/caller-rate-limits.js';
import { setRateLimitHeaders } from '#shared/platform/http/callers/rate-limit-headers.js';
import type { Principal } from '#shared/platform/http/callers/principal.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';

/** All unknown ids together share one limit. */
const UNKNOWN_ID_LIMIT_FACTOR = 100;

/** Counts only in this process. */
@Injectable()
export class StatusReadLimiter {
  private readonly reads: CallerRateLimit;
  private readonly misses: CallerRateLimit;

  constructor(
    private readonly rates: CallerRateLimits,
    { statusReadLimiter }: PaymentsSettings,
  ) {
    const missed = statusReadLimiter.perSecond * UNKNOWN_ID_LIMIT_FACTOR;
    this.reads = new CallerRateLimit('payment-request', statusReadLimiter.perSecond, statusReadLimiter.burst);
    this.misses = new CallerRateLimit('not-found', missed, missed);
  }

  /** Sets the rate limit headers. @throws RateLimited, and the errors of `read` */
  async readLimited<T>(
    { credentialId }: Principal,
    id: PaymentRequestId,
    response: ServerResponse,
    read: () => Promise<T>,
  ): Promise<T> {
    const misses = `missed reads ${credentialId}`;
    this.rates.requireRemainingCall(misses, this.misses);
    setRateLimitHeaders(
      response,
      this.reads.headers(this.rates.require(`reads ${credentialId} ${id}`, this.reads)),
    );
    try {
      return await read();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') this.rates.require(misses, this.misses);
      throw error;
    }
  }
}
