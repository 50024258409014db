import type { AccountScope } from './account-scope-rule.js';

/** An image that payers' pages and mails show beside the merchant's name, never in its place. */
export interface Logo {
  /** Below the origin of the hosted pages. It names the content, so that what lies there never changes. */
  readonly path: string;
  /** Pixels of the image itself. */
  readonly width: number;
  readonly height: number;
}

/** An account's names and look before payers. Each field that the account lacks is its organization's; absent where both lack it. */
export interface Branding {
  /** The display name; where neither has one, the organization's name. Not the name that a payment request carries. */
  readonly name: string;
  readonly taxId?: string;
  /** Lines divided by line feeds. */
  readonly postalAddress?: string;
  /** `#rrggbb`, in small letters, as the merchant chose it. Pages adjust it to their ground (`accentsOf`). */
  readonly colour?: string;
  readonly logo?: Logo;
}

export abstract class AccountBranding {
  /**
   * Answers from memory, so that pages cost no further statement; a change shows in every process within ten seconds. A deleted
   * account keeps its branding. @throws not_found where there is no such organization
   */
  abstract of(owner: AccountScope): Promise<Branding>;
}
