import {
  inlineAssetOf,
  type PageAssets,
  type PageBranding,
  type PageLogo,
} from '../document/inline-asset.js';
import { httpsHref } from '../safe-links.js';
import { accentsOf } from './accents.js';

export interface BrandAppearance {
  /** In the form `#rrggbb`. */
  readonly colour?: string;
  readonly logo?: PageLogo;
  /** Email address or https URL. */
  readonly support?: string;
}

/** In CSS pixels. */
export const LOGO_HEIGHT = 36;
const MAX_LOGO_WIDTH = 144;

/** Returns the displayed size of a logo where style sheets are not available, such as in mails. */
export function logoSize({ width, height }: Pick<PageLogo, 'width' | 'height'>): {
  width: number;
  height: number;
} {
  const scale = Math.min(LOGO_HEIGHT / height, MAX_LOGO_WIDTH / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** White in both themes, because most logos are designed for white paper. */
const LOGO_STYLE =
  `.logo{width:auto;height:${LOGO_HEIGHT / 16}rem;max-width:40%;object-fit:contain;background:#fff;padding:.125rem;border-radius:.5rem}` +
  '.logo~.badge{white-space:nowrap}';

const brandingCache = new WeakMap<BrandAppearance, PageBranding>();

/** @returns undefined if the merchant has no colour, logo or support contact */
export function pageBranding(look: BrandAppearance): PageBranding | undefined {
  const { colour, logo, support } = look;
  if (colour === undefined && logo === undefined && support === undefined) return undefined;
  let branding = brandingCache.get(look);
  if (branding === undefined) {
    const text = (colour === undefined ? '' : accentStyle(colour)) + (logo === undefined ? '' : LOGO_STYLE);
    const style = text === '' ? undefined : inlineAssetOf(text);
    brandingCache.set(look, (branding = { style, logo, supportHref: supportHref(support) }));
  }
  return branding;
}

function supportHref(support: string | undefined): string | undefined {
  return support?.includes('@') && !support.includes('/') ? `mailto:${support}` : httpsHref(support);
}

/** Adds the merchant's branding to the assets of a page. */
export function withBranding(assets: PageAssets, branding: PageBranding | undefined): PageAssets {
  return branding === undefined ? assets : { ...assets, branding };
}

function accentStyle(colour: string): string {
  const { fill, light, dark } = accentsOf(colour);
  return (
    `:root{--accent:${light.colour}}@media(prefers-color-scheme:dark){:root{--accent:${dark.colour}}}` +
    `.initial,.primary{background:${fill.colour};color:${fill.text}}`
  );
}
