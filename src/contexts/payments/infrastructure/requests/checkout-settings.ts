import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface CookieKey extends ScheduledSigningKey {
  readonly cookieKey: Buffer;
}

export interface WalletDeepLink {
  readonly name: string;
  /** The token is added as `naspip_token`. */
  readonly base: string;
}

export class CheckoutSettings {
  /** Origin without a trailing slash. */
  readonly publicUrl!: string;
  /** Origin without a trailing slash. */
  readonly checkoutHost!: string;
  readonly wallets!: readonly WalletDeepLink[];
  readonly cookieKeys!: SigningKeyRing<CookieKey>;
  /** Set only in development. */
  readonly sandboxWalletUrl?: string;

  constructor(settings: Omit<CheckoutSettings, 'otherOrigin' | 'ownOrigins'>) {
    Object.assign(this, settings);
  }

  /** Undefined if it is the API's origin. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === this.publicUrl ? undefined : this.checkoutHost;
  }

  /** Spelled as browsers spell origins. */
  get ownOrigins(): readonly string[] {
    return [this.publicUrl, this.checkoutHost];
  }
}
