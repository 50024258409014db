import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { CallerRates, CallerRate } from '#shared/platform/http/callers/caller-rates.js';
import { setRateFields } from '#shared/platform/http/callers/rate-fields.js';
import type { Principal } from '#shared/platform/http/callers/principal.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';

/** All unknown ids together share one limit. */
const UNKNOWN_ID_LIMIT_FACTOR = 100;

/** Counts only in this process. */
@Injectable()
export class StatusReads {
  private readonly reads: CallerRate;
  private readonly misses: CallerRate;

  constructor(
    private readonly rates: CallerRates,
    { statusReads }: PaymentsSettings,
  ) {
    const missed = statusReads.perSecond * UNKNOWN_ID_LIMIT_FACTOR;
    this.reads = new CallerRate('payment-request', statusReads.perSecond, statusReads.burst);
    this.misses = new CallerRate('not-found', missed, missed);
  }

  /** Sets the rate limit headers. @throws RateLimited, and the errors of `read` */
  async readLimited<T>(
    { credentialId }: Principal,
    id: PaymentRequestId,
    response: ServerResponse,
    read: () => Promise<T>,
  ): Promise<T> {
    const misses = `missed reads ${credentialId}`;
    this.rates.requireRemainder(misses, this.misses);
    setRateFields(response, this.reads.fields(this.rates.require(`reads ${credentialId} ${id}`, this.reads)));
    try {
      return await read();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') this.rates.require(misses, this.misses);
      throw error;
    }
  }
}
