import type { Scope } from '#shared/kernel/scope.js';
import { AccountBranding, type Logo } from '../../contract/account-branding.js';
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

/** The owner is an account, or the organization if the scope names no account. */
export abstract class Brandings extends AccountBranding {
  /** `NO_BRANDING` if nothing is set. */
  abstract own(owner: Scope): Promise<OwnBranding>;
  /** Does not change the logo. The caller must have locked the organization. Requires a unit of work. */
  abstract saveTexts(owner: Scope, texts: BrandingTexts, at: Date): Promise<void>;
  /**
   * Does not change the texts. The caller must have locked the organization. Requires a unit of work. @returns null if the logo was removed
   */
  abstract saveLogo(owner: Scope, logo: LogoFile | null, at: Date): Promise<LogoFacts | null>;
  /** @param name last segment of a logo's path, as the caller sent it @throws not_found */
  abstract logoFile(name: string): Promise<Pick<LogoFile, 'type' | 'bytes'>>;
}
