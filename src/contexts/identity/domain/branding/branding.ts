import type { Logo } from '../../contract/account-branding.js';
import type { BrandingTexts } from './branding-texts.js';
import type { LogoFile } from './logo-file.js';

export interface LogoMetadata extends Logo {
  readonly type: LogoFile['type'];
  /** Hex. The path of the logo ends with it. */
  readonly digest: string;
}

/** Without values inherited from the organization. */
export interface OwnBranding extends BrandingTexts {
  readonly logo: LogoMetadata | null;
}

export const NO_BRANDING: OwnBranding = {
  displayName: null,
  taxId: null,
  postalAddress: null,
  colour: null,
  support: null,
  logo: null,
};

export function auditableBranding({
  displayName,
  taxId,
  postalAddress,
  colour,
  support,
  logo,
}: OwnBranding): object {
  return {
    display_name: displayName,
    tax_id: taxId,
    postal_address: postalAddress,
    colour,
    support,
    logo_digest: logo?.digest ?? null,
  };
}
