import type { Schemas } from './api-types.js';

/** Milliseconds before its end at which a token is renewed, or a tenth of its life where that is less. */
const MARGIN = 60_000;

interface HeldToken {
  readonly text: string;
  /** A time of a clock that is never set. */
  readonly goodUntil: number;
}

/** The access token of one credential: exchanged when it is first needed, kept until shortly before its end. */
export class AccessToken {
  private held: HeldToken | undefined;
  private exchange: Promise<string> | undefined;

  /** @param ask makes one exchange */
  constructor(private readonly ask: () => Promise<Schemas['Token']>) {}

  /** Callers at the same time share one exchange. */
  current(): Promise<string> {
    if (this.held !== undefined && performance.now() < this.held.goodUntil) {
      return Promise.resolve(this.held.text);
    }
    return (this.exchange ??= this.renew().finally(() => (this.exchange = undefined)));
  }

  /** Drops a token that was refused. Another caller may have renewed it already. */
  forget(token: string): void {
    if (this.held?.text === token) this.held = undefined;
  }

  private async renew(): Promise<string> {
    const answer = await this.ask();
    const life = lifeOf(answer);
    this.held = { text: answer.token, goodUntil: performance.now() + life - Math.min(MARGIN, life / 10) };
    return answer.token;
  }
}

/** The token's life in milliseconds, by the two times in it where they can be read: this machine's clock may differ from the service's. */
function lifeOf({ token, expired_at }: Schemas['Token']): number {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      iat: number;
      exp: number;
    };
    const life = (claims.exp - claims.iat) * 1_000;
    if (life > 0) return life;
  } catch {
    // Not a JWT that can be read.
  }
  return Math.max(0, Date.parse(expired_at) - Date.now());
}
