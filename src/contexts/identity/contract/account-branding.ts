import type { AccountScope } from './account-scope-rule.js';

export interface Logo {
  /** Path on the hosted pages' origin. Contains the content's digest, so its content never changes. */
  readonly path: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** Missing fields fall back to the organization's; absent if neither sets them. */
export interface Branding {
  /** Falls back to the organization's name. Independent of the merchant name in a payment request. */
  readonly name: string;
  readonly taxId?: string;
  /** Lines separated by line feeds. */
  readonly postalAddress?: string;
  /** `#rrggbb` in lower case, as the merchant chose it. Pages adjust its contrast (`accentsOf`). */
  readonly colour?: string;
  readonly logo?: Logo;
}

export abstract class AccountBranding {
  /**
   * Cached, so that pages cost no query. A change is visible in every process within ten seconds. A deleted account keeps its branding.
   * @throws not_found if the organization does not exist
   */
  abstract of(owner: AccountScope): Promise<Branding>;
}
