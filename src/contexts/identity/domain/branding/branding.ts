import type { Scope } from '#shared/kernel/scope.js';
import { AccountBranding, type Logo } from '../../contract/account-branding.js';
import type { BrandingTexts } from './branding-texts.js';
import type { LogoFile } from './logo-file.js';

/** A logo as it is described without its bytes. */
export interface LogoFacts extends Logo {
  readonly type: LogoFile['type'];
  /** SHA-256 in hex; the path ends with it. */
  readonly digest: string;
}

/** The values that an account, or the organization for all of them, has itself; null where it has none. */
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

/** The audit log keeps these values; an invariant compares them with the stored ones. */
export function auditableBranding({ displayName, taxId, postalAddress, colour, logo }: OwnBranding): object {
  return {
    display_name: displayName,
    tax_id: taxId,
    postal_address: postalAddress,
    colour,
    logo_digest: logo?.digest ?? null,
  };
}

/** The owner of a branding is an account, or the organization where the scope names none. */
export abstract class Brandings extends AccountBranding {
  /** The owner's own values; `NO_BRANDING` where nothing was set. */
  abstract own(owner: Scope): Promise<OwnBranding>;
  /** Keeps the logo. The caller has locked the organization. Refuses to run outside a unit of work. */
  abstract saveTexts(owner: Scope, texts: BrandingTexts, at: Date): Promise<void>;
  /** Keeps the texts. Likewise. @returns null where the logo is removed */
  abstract saveLogo(owner: Scope, logo: LogoFile | null, at: Date): Promise<LogoFacts | null>;
  /** @param name the end of a logo's path, spelled by the caller: any text @throws not_found */
  abstract logoFile(name: string): Promise<Pick<LogoFile, 'type' | 'bytes'>>;
}
