import type { Schemas } from './api-types.js';

/** Milliseconds before expiry at which a token is renewed; a tenth of its lifetime if that is less. */
const MARGIN = 60_000;

interface HeldToken {
  readonly text: string;
  /** Time on the monotonic clock (`performance.now()`), in milliseconds. */
  readonly validUntil: number;
}

/** Access token of one credential. Requested on first use and reused until shortly before it expires. */
export class AccessToken {
  private held: HeldToken | undefined;
  private exchange: Promise<string> | undefined;

  /** @param ask performs one token exchange */
  constructor(private readonly ask: () => Promise<Schemas['Token']>) {}

  /** Returns the token. Concurrent callers share one exchange. */
  current(): Promise<string> {
    if (this.held !== undefined && performance.now() < this.held.validUntil) {
      return Promise.resolve(this.held.text);
    }
    return (this.exchange ??= this.renew().finally(() => (this.exchange = undefined)));
  }

  /** Discards a rejected token, unless another caller has already renewed it. */
  forget(token: string): void {
    if (this.held?.text === token) this.held = undefined;
  }

  private async renew(): Promise<string> {
    const answer = await this.ask();
    const lifetime = lifetimeOf(answer);
    this.held = {
      text: answer.token,
      validUntil: performance.now() + lifetime - Math.min(MARGIN, lifetime / 10),
    };
    return answer.token;
  }
}

/**
 * Lifetime of the token in milliseconds. Uses `exp - iat` of the JWT if it can be decoded, because the clock of this machine may differ
 * from that of the service.
 */
function lifetimeOf({ token, expired_at }: Schemas['Token']): number {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      iat: number;
      exp: number;
    };
    const lifetime = (claims.exp - claims.iat) * 1_000;
    if (lifetime > 0) return lifetime;
  } catch {
    // The token is not a readable JWT.
  }
  return Math.max(0, Date.parse(expired_at) - Date.now());
}
