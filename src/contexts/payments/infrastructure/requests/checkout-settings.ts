import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

export interface CookieKey extends ScheduledKey {
  /** Key of 256 bits that signs the cookies of payment links. */
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
  /** URL of the sandbox wallet, from which pages may request payments. Set only in development. */
  readonly sandboxWalletUrl?: string;

  constructor(settings: Omit<CheckoutSettings, 'otherOrigin' | 'ownOrigins'>) {
    Object.assign(this, settings);
  }

  /** Origin of the hosted pages; undefined if it is the API's origin. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === this.publicUrl ? undefined : this.checkoutHost;
  }

  /** Origins of the API and the hosted pages, as browsers spell them. */
  get ownOrigins(): readonly string[] {
    return [this.publicUrl, this.checkoutHost];
  }
}
