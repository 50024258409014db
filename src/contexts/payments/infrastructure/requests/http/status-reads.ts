import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../../shared/kernel/domain-error.js';
import type { PaymentRequestId } from '../../../../../shared/kernel/ids.js';
import { CallerRates, type Rate } from '../../../../../shared/platform/http/callers/caller-rates.js';
import type { Principal } from '../../../../../shared/platform/http/callers/principal.js';
import { PaymentsSettings } from '../../../application/requests/payments-settings.js';

/** How many ids that there are not may be asked for, each of which would have a rate of its own. */
const MISSES_FOR_A_READ = 100;

/** How often one credential may read one payment request, counted by this process alone. */
@Injectable()
export class StatusReads {
  private readonly misses: Rate;

  constructor(
    private readonly rates: CallerRates,
    private readonly settings: PaymentsSettings,
  ) {
    const perSecond = settings.statusReads.perSecond * MISSES_FOR_A_READ;
    this.misses = { perSecond, burst: perSecond };
  }

  /** @throws RateLimited, and what `read` throws */
  async limited<T>({ credentialId }: Principal, id: PaymentRequestId, read: () => Promise<T>): Promise<T> {
    const misses = `missed reads ${credentialId}`;
    this.rates.demandLeft(misses, this.misses);
    this.rates.require(`reads ${credentialId} ${id}`, this.settings.statusReads);
    try {
      return await read();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') this.rates.require(misses, this.misses);
      throw error;
    }
  }
}
