import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface CookieKey extends ScheduledKey {
  /** 256 bits. */
  readonly cookieKey: Buffer;
}

export interface WalletLink {
  readonly name: string;
  /** URL that opens the wallet; the token is added as `naspip_token`. */
  readonly base: string;
}

export class CheckoutSettings {
  /** Origin of the API, without a trailing slash. */
  readonly publicUrl!: string;
  /** Origin of the hosted pages, without a trailing slash. */
  readonly checkoutHost!: string;
  readonly wallets!: readonly WalletLink[];
  readonly cookieKeys!: SigningKeyRing<CookieKey>;
  /** Sandbox wallet that pages may request payments from; only in development. */
  readonly sandboxWalletUrl?: string;

  constructor(settings: Omit<CheckoutSettings, 'otherOrigin' | 'ownOrigins'>) {
    Object.assign(this, settings);
  }

  /** Origin of the hosted pages; undefined if it is the API's origin. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === this.publicUrl ? undefined : this.checkoutHost;
  }

  /** Origins of this service, as browsers spell them. */
  get ownOrigins(): readonly string[] {
    return [this.publicUrl, this.checkoutHost];
  }
}
