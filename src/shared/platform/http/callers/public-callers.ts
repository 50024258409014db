import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, UncountedNotFound, RateLimited } from '#shared/kernel/domain-error.js';
import type { Caller, RatePolicy } from '#shared/kernel/rate-limits.js';
import { CallerAddress } from './caller-address.js';
import { CallerLimits, perMinutePolicy } from './caller-limits.js';
import { HttpSettings } from './http-settings.js';
import { RateFieldBuilder, setRateFields, type RateFields } from './rate-fields.js';

/** An allowed request gets header fields, a rejected one the seconds to wait. */
export type LimitDecision =
  { readonly fields: RateFields } | { readonly wait: number; readonly policy: RatePolicy };

/**
 * Each id or code has its own limit, so other callers at the same address cannot block a payer. Requests for unknown
 * ids share a limit (docs/reference/limits.md).
 */
@Injectable()
export class PublicCallers {
  private readonly ofSession: RatePolicy;
  private readonly ofMisses: RatePolicy;
  private readonly ofPages: RatePolicy;
  private readonly notice: RateFieldBuilder;
  private readonly pageNotice: RateFieldBuilder;

  constructor(
    private readonly limits: CallerLimits,
    private readonly addresses: CallerAddress,
    settings: HttpSettings,
  ) {
    const { requests, misses, pages } = settings.publicLimits;
    this.ofSession = perMinutePolicy('session', requests);
    this.ofMisses = perMinutePolicy('not-found', misses);
    this.ofPages = perMinutePolicy('page', pages);
    this.notice = new RateFieldBuilder(this.ofSession);
    this.pageNotice = new RateFieldBuilder(this.ofPages);
  }

  countRequest(request: IncomingMessage, id: string): LimitDecision {
    const caller = this.addresses.callerOf(request);
    const { name, quota } = this.ofSession;
    const key = `public ${id.slice(0, 64)}`;
    const wait = this.limits.countCallInRanges(caller, key, quota);
    if (wait > 0) return { wait, policy: this.ofSession };
    const { left, seconds } = this.limits.remainderOf(caller, key, quota);
    return { fields: this.notice.fields(name, left, seconds) };
  }

  /** A `not_found` error of `ask` counts toward the limit of misses. @throws RateLimited */
  async runLimited<T>(request: Request, id: string, ask: () => Promise<T>): Promise<T> {
    const turn = this.countRequest(request, id);
    if ('wait' in turn) throw new RateLimited(turn.wait, turn.policy);
    setRateFields(request.res, turn.fields);
    try {
      return await ask();
    } catch (error) {
      if (!isMiss(error)) throw error;
      const wait = this.limits.countCallInRanges(
        this.addresses.callerOf(request),
        'missed',
        this.ofMisses.quota,
      );
      throw wait > 0 ? new RateLimited(wait, this.ofMisses) : error;
    }
  }

  countPageRequest(request: Request, page: string): void {
    this.countOrThrow(request, this.addresses.callerOf(request), `page ${page}`);
  }

  countSessionRequest(request: Request, digest: string): void {
    this.countOrThrow(request, [{ name: digest, share: 1 }], 'dashboard');
  }

  private countOrThrow(request: Request, caller: Caller, key: string): void {
    const { name, quota } = this.ofPages;
    const wait = this.limits.countCallInRanges(caller, key, quota);
    if (wait > 0) throw new RateLimited(wait, this.ofPages);
    const { left, seconds } = this.limits.remainderOf(caller, key, quota);
    setRateFields(request.res, this.pageNotice.fields(name, left, seconds));
  }

  callerOf(request: IncomingMessage): string {
    return this.addresses.callerOf(request)[0].name;
  }
}

function isMiss(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'not_found' && !(error instanceof UncountedNotFound);
}
