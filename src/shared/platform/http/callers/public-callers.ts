import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, NotFoundWithoutGuess, RateLimited } from '#shared/kernel/domain-error.js';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import { CallerAddress, callerRange } from './caller-address.js';
import { CallerLimits, perMinutePolicy } from './caller-limits.js';
import { HttpSettings } from './http-settings.js';
import { RateNotice, setRateFields, type RateFields } from './rate-fields.js';

/**
 * A request that was let in has the fields of its answer; a refused one has the seconds to wait and the policy that
 * refused it.
 */
export type Turn = { readonly fields: RateFields } | { readonly wait: number; readonly policy: RatePolicy };

/**
 * Rate limits of callers without a credential, counted by this process alone, over all pages and operations that need none. A
 * caller with too many misses is guessing ids and codes, and is refused for existing ones too.
 */
@Injectable()
export class PublicCallers {
  private readonly ofSession: RatePolicy;
  private readonly ofAddress: RatePolicy;
  private readonly ofMisses: RatePolicy;
  private readonly notice: RateNotice;

  constructor(
    private readonly limits: CallerLimits,
    private readonly addresses: CallerAddress,
    settings: HttpSettings,
  ) {
    const { requests, addressRequests, misses } = settings.publicLimits;
    this.ofSession = perMinutePolicy('session', requests);
    this.ofAddress = perMinutePolicy('address', addressRequests);
    this.ofMisses = perMinutePolicy('not-found', misses);
    this.notice = new RateNotice(this.ofSession, this.ofAddress);
  }

  /** Counts one request of this caller for what has this id or code, unless it has to wait. */
  take(request: IncomingMessage, id: string): Turn {
    const caller = this.callerOf(request);
    const [all, one] = [`public ${caller}`, `public ${caller} ${id.slice(0, 64)}`];
    const { ofSession, ofAddress, ofMisses, limits } = this;
    const guessed = limits.spent(`missed ${caller}`, ofMisses.quota);
    if (guessed > 0) return { wait: guessed, policy: ofMisses };
    const spent = limits.spent(all, ofAddress.quota);
    if (spent > 0) return { wait: spent, policy: ofAddress };
    const wait = limits.take(one, ofSession.quota);
    if (wait > 0) return { wait, policy: ofSession };
    limits.take(all, ofAddress.quota);
    return { fields: this.leftOf(one, all) };
  }

  /**
   * Runs `ask` within the caller's limits, shows them in the answer, and counts a `not_found` as a miss.
   * @throws RateLimited, and what `ask` throws
   */
  async limited<T>(request: Request, id: string, ask: () => Promise<T>): Promise<T> {
    const turn = this.take(request, id);
    if ('wait' in turn) throw new RateLimited(turn.wait, turn.policy);
    setRateFields(request.res, turn.fields);
    try {
      return await ask();
    } catch (error) {
      if (isMiss(error)) this.limits.take(`missed ${this.callerOf(request)}`, this.ofMisses.quota);
      throw error;
    }
  }

  /** The name under which a caller is counted. */
  callerOf(request: IncomingMessage): string {
    return callerRange(this.addresses.addressOf(request));
  }

  /** The fields of the limit that will be met first. */
  private leftOf(one: string, all: string): RateFields {
    const ofSession = this.limits.left(one, this.ofSession.quota);
    const ofAddress = this.limits.left(all, this.ofAddress.quota);
    const [{ name }, { left, seconds }] =
      ofSession.left <= ofAddress.left ? [this.ofSession, ofSession] : [this.ofAddress, ofAddress];
    return this.notice.fields(name, left, seconds);
  }
}

function isMiss(error: unknown): boolean {
  return (
    error instanceof DomainError && error.kind === 'not_found' && !(error instanceof NotFoundWithoutGuess)
  );
}
