import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimited } from '../../../../shared/kernel/domain-error.js';
import { CallerAddress, callerRange } from '../../../../shared/platform/http/callers/caller-address.js';
import { MOST_KEYS } from '../../../../shared/platform/http/callers/caller-limits.js';
import { ExchangeAttempts } from '../../application/exchange-attempts.js';

/** A refused address is refused from memory for so long before the database is asked again, so that a flood costs nothing. */
const REMEMBERED_MS = 1_000;

interface Refusal {
  readonly at: number;
  readonly seconds: number;
}

/** Limits token exchanges by address; a guard, so before anything of their bodies is read. */
@Injectable()
export class TokenExchangeGate implements CanActivate {
  private readonly refused = new LRUCache<string, Refusal>({ max: MOST_KEYS });

  constructor(
    private readonly addresses: CallerAddress,
    private readonly attempts: ExchangeAttempts,
  ) {}

  /** @throws RateLimited */
  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const address = this.callerOf(request);
    const refusal = this.refused.get(address);
    const now = performance.now();
    if (refusal !== undefined && now - refusal.at < REMEMBERED_MS) throw new RateLimited(refusal.seconds);
    try {
      await this.attempts.take(address);
    } catch (error) {
      if (error instanceof RateLimited)
        this.refused.set(address, { at: now, seconds: error.retryAfterSeconds });
      throw error;
    }
    return true;
  }

  /** What the caller is counted under. */
  callerOf(request: IncomingMessage): string {
    return callerRange(this.addresses.of(request));
  }
}
