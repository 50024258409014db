export interface WalletLink {
  /** As the payer knows it. */
  readonly name: string;
  /** Opens the wallet; the token is added as `naspip_token`. */
  readonly base: string;
}

/** Of public requests a minute (docs/api/limits.md, "Rates"); an address is an IPv4 address or the /64 of an IPv6 one. */
export interface PublicLimits {
  /** Of an address for one session or link. */
  readonly requests: number;
  /** Of an address in all. */
  readonly addressRequests: number;
  /** Of an address for what there is not, before it counts as guessing. */
  readonly misses: number;
}

/** How payers are shown what to pay. */
export class CheckoutSettings {
  /** Where callers reach the API: an origin, without a slash at the end. */
  readonly publicUrl!: string;
  /** Where browsers find the hosted pages, likewise. */
  readonly checkoutHost!: string;
  readonly wallets!: readonly WalletLink[];
  /** 256 bits each; the first signs cookies, all are accepted. */
  readonly cookieKeys!: readonly Buffer[];
  readonly limits: PublicLimits = { requests: 120, addressRequests: 1_200, misses: 30 };
  /** The sandbox's wallet, which pages may ask to pay; in development only. */
  readonly sandboxWalletUrl?: string;

  constructor(
    settings: Omit<CheckoutSettings, 'limits' | 'otherOrigin' | 'ownOrigins'> & { limits?: PublicLimits },
  ) {
    Object.assign(this, settings);
  }

  /** The hosted pages' origin where it is not that of the API. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === this.publicUrl ? undefined : this.checkoutHost;
  }

  /** This service's, as browsers spell them. */
  get ownOrigins(): readonly string[] {
    return [this.publicUrl, this.checkoutHost];
  }
}
