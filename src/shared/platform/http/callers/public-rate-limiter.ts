import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError, UncountedNotFound, RateLimited } from '#shared/kernel/domain-error.js';
import type { CallerAddressRanges, RateLimitPolicy } from '#shared/kernel/rate-limits.js';
import { CallerAddressResolver } from './caller-address-resolver.js';
import { WindowRateLimits, perMinuteRateLimit } from './window-rate-limits.js';
import { HttpSettings } from './http-settings.js';
import { RateLimitHeaderBuilder, setRateLimitHeaders, type RateLimitHeaders } from './rate-limit-headers.js';

/** An allowed request gets header fields, a rejected one the seconds to wait. */
export type RateLimitDecision =
  { readonly fields: RateLimitHeaders } | { readonly wait: number; readonly policy: RateLimitPolicy };

/**
 * Each id or code has its own limit, so other callers at the same address cannot block a payer. Requests for unknown
 * ids share a limit (docs/reference/limits.md).
 */
@Injectable()
export class PublicRateLimiter {
  private readonly ofSession: RateLimitPolicy;
  private readonly ofMisses: RateLimitPolicy;
  private readonly ofPages: RateLimitPolicy;
  private readonly notice: RateLimitHeaderBuilder;
  private readonly pageNotice: RateLimitHeaderBuilder;

  constructor(
    private readonly limits: WindowRateLimits,
    private readonly addresses: CallerAddressResolver,
    settings: HttpSettings,
  ) {
    const { requests, misses, pages } = settings.publicLimits;
    this.ofSession = perMinuteRateLimit('session', requests);
    this.ofMisses = perMinuteRateLimit('not-found', misses);
    this.ofPages = perMinuteRateLimit('page', pages);
    this.notice = new RateLimitHeaderBuilder(this.ofSession);
    this.pageNotice = new RateLimitHeaderBuilder(this.ofPages);
  }

  countRequest(request: IncomingMessage, id: string): RateLimitDecision {
    const caller = this.addresses.callerAddressRangesOf(request);
    const { name, quota } = this.ofSession;
    const key = `public ${id.slice(0, 64)}`;
    const wait = this.limits.countCallInRanges(caller, key, quota);
    if (wait > 0) return { wait, policy: this.ofSession };
    const { left, seconds } = this.limits.remainderOf(caller, key, quota);
    return { fields: this.notice.headers(name, left, seconds) };
  }

  /** A `not_found` error of `ask` counts toward the limit of misses. @throws RateLimited */
  async runLimited<T>(request: Request, id: string, ask: () => Promise<T>): Promise<T> {
    const turn = this.countRequest(request, id);
    if ('wait' in turn) throw new RateLimited(turn.wait, turn.policy);
    setRateLimitHeaders(request.res, turn.fields);
    try {
      return await ask();
    } catch (error) {
      if (!isMiss(error)) throw error;
      const wait = this.limits.countCallInRanges(
        this.addresses.callerAddressRangesOf(request),
        'missed',
        this.ofMisses.quota,
      );
      throw wait > 0 ? new RateLimited(wait, this.ofMisses) : error;
    }
  }

  countPageRequest(request: Request, page: string): void {
    this.countOrThrow(request, this.addresses.callerAddressRangesOf(request), `page ${page}`);
  }

  countDashboardSessionRequest(request: Request, digest: string): void {
    this.countOrThrow(request, [{ name: digest, share: 1 }], 'dashboard');
  }

  private countOrThrow(request: Request, caller: CallerAddressRanges, key: string): void {
    const { name, quota } = this.ofPages;
    const wait = this.limits.countCallInRanges(caller, key, quota);
    if (wait > 0) throw new RateLimited(wait, this.ofPages);
    const { left, seconds } = this.limits.remainderOf(caller, key, quota);
    setRateLimitHeaders(request.res, this.pageNotice.headers(name, left, seconds));
  }

  callerRangeNameOf(request: IncomingMessage): string {
    return this.addresses.callerAddressRangesOf(request)[0].name;
  }
}

function isMiss(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'not_found' && !(error instanceof UncountedNotFound);
}
