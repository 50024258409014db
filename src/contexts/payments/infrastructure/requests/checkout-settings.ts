import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface CookieKey extends ScheduledKey {
  /** 256 bits. */
  readonly cookieKey: Buffer;
}

export interface WalletLink {
  /** The name that the payer knows it by. */
  readonly name: string;
  /** Opens the wallet; the token is added as `naspip_token`. */
  readonly base: string;
}

/** Settings of the checkout's pages and URLs. */
export class CheckoutSettings {
  /** The origin at which callers reach the API, without a slash at the end. */
  readonly publicUrl!: string;
  /** The origin of the hosted pages, likewise. */
  readonly checkoutHost!: string;
  readonly wallets!: readonly WalletLink[];
  readonly cookieKeys!: SigningKeyRing<CookieKey>;
  /** The sandbox's wallet, which pages may ask to pay; in development only. */
  readonly sandboxWalletUrl?: string;

  constructor(settings: Omit<CheckoutSettings, 'otherOrigin' | 'ownOrigins'>) {
    Object.assign(this, settings);
  }

  /** The hosted pages' origin where it is not that of the API. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === this.publicUrl ? undefined : this.checkoutHost;
  }

  /** The origins of this service, as browsers spell them. */
  get ownOrigins(): readonly string[] {
    return [this.publicUrl, this.checkoutHost];
  }
}
