import type { AccountScope } from './account-scope-rule.js';

export interface Logo {
  /**
   * Path of the image on the origin of the hosted pages. It contains the image's digest, so its content never changes.
   */
  readonly path: string;
  /** Width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Branding of an account. Fields that the account does not set fall back to the organization's branding. */
export interface Branding {
  /** Falls back to the organization's name. Independent of the merchant name in a payment request. */
  readonly name: string;
  readonly taxId?: string;
  /** Lines separated by line feeds. */
  readonly postalAddress?: string;
  /** `#rrggbb` in lower case, as the merchant chose it. Pages adjust its contrast (`accentsOf`). */
  readonly colour?: string;
  /** Where payers get help: an email address or an https URL. */
  readonly support?: string;
  readonly logo?: Logo;
}

export abstract class AccountBranding {
  /**
   * Returns the account's branding from a cache, so that most pages need no query. A change is visible in every process
   * within ten seconds. A deleted account keeps its branding.
   * @throws not_found if the organization does not exist
   */
  abstract brandingOf(owner: AccountScope): Promise<Branding>;
}
