export interface WalletLink {
  /** As the payer knows it. */
  readonly name: string;
  /** Opens the wallet; the token is added as `naspip_token`. */
  readonly base: string;
}

export interface CheckoutSettingsInput {
  /** `{base_url}` of the specification, without a slash at the end. */
  readonly publicUrl: string;
  /** `{checkout_host}` of the specification, likewise: the origin of the hosted pages. */
  readonly checkoutHost: string;
  readonly wallets: readonly WalletLink[];
  /** 256 bits each; the first signs cookies, all are accepted. */
  readonly cookieKeys: readonly Buffer[];
  /** decisions.md section 10, a minute: for each session or link and address; and before an address counts as guessing. */
  readonly limits?: { readonly requests: number; readonly misses: number };
  /** A wallet of play money that pages may ask to pay; in development only. */
  readonly sandboxWalletUrl?: string;
}

/** How payers are shown what to pay. */
export class CheckoutSettings {
  readonly publicUrl: string;
  readonly checkoutHost: string;
  readonly wallets: readonly WalletLink[];
  readonly cookieKeys: readonly Buffer[];
  readonly sandboxWalletUrl: string | undefined;
  readonly limits: { readonly requests: number; readonly misses: number };

  constructor(input: CheckoutSettingsInput) {
    this.publicUrl = input.publicUrl;
    this.checkoutHost = input.checkoutHost;
    this.wallets = input.wallets;
    this.cookieKeys = input.cookieKeys;
    this.sandboxWalletUrl = input.sandboxWalletUrl;
    this.limits = input.limits ?? { requests: 120, misses: 30 };
  }

  /** The hosted pages' origin where it is not that of the API. */
  get otherOrigin(): string | undefined {
    return this.checkoutHost === new URL(this.publicUrl).origin ? undefined : this.checkoutHost;
  }
}
