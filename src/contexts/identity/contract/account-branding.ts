import type { AccountScope } from './account-scope-rule.js';

export interface Logo {
  /** Contains the image's digest, so its content never changes. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Unset fields fall back to the organization's branding. */
export interface Branding {
  /** Independent of the merchant name in a payment request. */
  readonly name: string;
  readonly taxId?: string;
  readonly postalAddress?: string;
  /** `#rrggbb` in lower case. Pages adjust its contrast (`accentsOf`). */
  readonly colour?: string;
  /** Where payers get help: an email address or an https URL. */
  readonly support?: string;
  readonly logo?: Logo;
}

export abstract class AccountBranding {
  /** Cached; a change is visible within ten seconds. A deleted account keeps its branding. @throws not_found */
  abstract brandingOf(owner: AccountScope): Promise<Branding>;
}
