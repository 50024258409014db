import type { Logo } from '../../contract/account-branding.js';
import type { BrandingTexts } from './branding-texts.js';
import type { LogoFile } from './logo-file.js';

export interface LogoFacts extends Logo {
  readonly type: LogoFile['type'];
  /** SHA-256 in hex. The logo's path ends with it. */
  readonly digest: string;
}

/** Null: not set on the account or organization itself. */
export interface OwnBranding extends BrandingTexts {
  readonly logo: LogoFacts | null;
}

export const NO_BRANDING: OwnBranding = {
  displayName: null,
  taxId: null,
  postalAddress: null,
  colour: null,
  logo: null,
};

/** An invariant compares these fields with the stored values. */
export function auditableBranding({ displayName, taxId, postalAddress, colour, logo }: OwnBranding): object {
  return {
    display_name: displayName,
    tax_id: taxId,
    postal_address: postalAddress,
    colour,
    logo_digest: logo?.digest ?? null,
  };
}
