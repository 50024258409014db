import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../../shared/kernel/domain-error.js';
import { CallerAddress, callerRange } from '../../../../shared/platform/http/callers/caller-address.js';
import { RecentKeys } from '../../../../shared/platform/http/callers/recent-keys.js';
import { hasPrefix } from '../../../../shared/platform/http/server/path-prefix.js';
import { ExchangeAttempts } from '../../application/exchange-attempts.js';

const PATHS = ['/v1/auth/token'];

/** A refused address is refused from memory for so long before the database is asked again, so that a flood costs nothing. */
const REMEMBERED_MS = 1_000;

interface Refusal {
  readonly at: number;
  readonly seconds: number;
}

/** Limits token exchanges by address, before anything of their bodies is read. */
@Injectable()
export class TokenExchangeGate {
  private readonly refused = new RecentKeys<Refusal>();
  private readonly counted = new WeakSet<IncomingMessage>();

  constructor(
    private readonly addresses: CallerAddress,
    private readonly attempts: ExchangeAttempts,
  ) {}

  /** For every request, by its path. @throws RateLimited */
  async admit(request: IncomingMessage): Promise<void> {
    if (request.method === 'POST' && hasPrefix(request.url ?? '', PATHS)) await this.count(request);
  }

  /** Counts a request once, however often it is asked. @throws RateLimited */
  async count(request: IncomingMessage): Promise<void> {
    if (this.counted.has(request)) return;
    this.counted.add(request);
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
  }

  /** What the caller is counted under. */
  callerOf(request: IncomingMessage): string {
    return callerRange(this.addresses.of(request));
  }
}
