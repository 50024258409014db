import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError, RateLimited } from '../../../../shared/kernel/domain-error.js';
import { CallerAddress } from '../../../../shared/platform/http/caller-address.js';
import { CheckoutSettings } from '../checkout-settings.js';
import { CallerLimits } from '../../../../shared/platform/http/caller-limits.js';
import { guessingAddress } from '../../../../shared/platform/http/client-address.js';

/**
 * What anybody may ask without a credential, and how often; counted by this process alone. Who asks for many sessions
 * that there are not is guessing, and is then told of none, right or wrong.
 */
@Injectable()
export class PublicCallers {
  constructor(
    private readonly limits: CallerLimits,
    private readonly addresses: CallerAddress,
    private readonly settings: CheckoutSettings,
  ) {}

  /** Takes one request of this address for a session or link. @returns 0, or how long to wait */
  waitFor(request: IncomingMessage, id: string): number {
    const address = this.addresses.of(request);
    const { requests, misses } = this.settings.limits;
    return (
      this.limits.spent(`missed ${guessingAddress(address)}`, misses) ||
      this.limits.take(`public ${id.slice(0, 64)} ${address}`, requests)
    );
  }

  /** @throws RateLimited */
  admit(request: IncomingMessage, id: string): void {
    const wait = this.waitFor(request, id);
    if (wait > 0) throw new RateLimited(wait);
  }

  /**
   * Asks in this caller's name, and counts as a miss what there is not.
   * @throws RateLimited, and what `ask` throws
   */
  async asking<T>(request: IncomingMessage, id: string, ask: () => Promise<T>): Promise<T> {
    this.admit(request, id);
    try {
      return await ask();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') this.missed(request);
      throw error;
    }
  }

  /** Somebody asked for what there is not. */
  missed(request: IncomingMessage): void {
    this.limits.take(`missed ${guessingAddress(this.addresses.of(request))}`, this.settings.limits.misses);
  }
}
