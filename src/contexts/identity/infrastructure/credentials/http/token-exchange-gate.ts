import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import { CallerAddress, callerRange } from '#shared/platform/http/callers/caller-address.js';
import { MAX_KEYS } from '#shared/platform/http/callers/caller-limits.js';
import { RateNotice, setRateFields } from '#shared/platform/http/callers/rate-fields.js';
import { ExchangeAttempts } from '#contexts/identity/application/credentials/exchange-token.js';
import { IdentitySettings } from '../../identity-settings.js';

/** A refused address is refused from memory for this time before the database is asked again, so that a flood costs nothing. */
const REMEMBERED_MS = 1_000;

const TOKEN_EXCHANGE_ROUTE = 'route:token-exchange';

/** The route exchanges credentials for a token. */
export const ExchangesToken = () => SetMetadata(TOKEN_EXCHANGE_ROUTE, true);

interface Refusal {
  readonly at: number;
  readonly error: RateLimited;
}

/**
 * Limits token exchanges by address, before their bodies are read: a guard of the whole service like the one
 * that reads bodies, since a route's own guards come after both.
 */
@Injectable()
export class TokenExchangeGate implements CanActivate {
  private readonly policy: RatePolicy;
  private readonly notice: RateNotice;
  private readonly refused = new LRUCache<string, Refusal>({ max: MAX_KEYS });

  constructor(
    private readonly addresses: CallerAddress,
    private readonly attempts: ExchangeAttempts,
    { exchanges }: IdentitySettings,
  ) {
    this.policy = exchanges;
    this.notice = new RateNotice(exchanges);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    return Reflect.getMetadata(TOKEN_EXCHANGE_ROUTE, context.getHandler()) !== true || this.take(context);
  }

  /** @throws RateLimited */
  private async take(context: ExecutionContext): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage>();
    const address = this.callerOf(request);
    const refusal = this.refused.get(address);
    const now = performance.now();
    if (refusal !== undefined && now - refusal.at < REMEMBERED_MS) throw refusal.error;
    try {
      const { left, seconds } = await this.attempts.take(address);
      setRateFields(http.getResponse<ServerResponse>(), this.notice.fields(this.policy.name, left, seconds));
    } catch (error) {
      if (error instanceof RateLimited) this.refused.set(address, { at: now, error });
      throw error;
    }
    return true;
  }

  /** The key that the caller's exchanges are counted by. */
  callerOf(request: IncomingMessage): string {
    return callerRange(this.addresses.addressOf(request));
  }
}
