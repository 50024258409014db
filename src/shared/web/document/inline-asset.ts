import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** A style or script as it stands in a page. */
export interface InlineAsset {
  readonly text: string;
  /** Source expression for `style-src` or `script-src`: of exactly the characters of `text`. */
  readonly hash: string;
}

/** An image of this origin beside the merchant's name, with its size in pixels. */
export interface ShownLogo {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** The merchant's look as a page has it. Its style follows the page family's own. */
export interface PageBranding {
  readonly style: InlineAsset;
  readonly logo: ShownLogo | undefined;
}

/** The style and script that a page inlines. A page may have no script. */
export interface PageAssets {
  readonly style: InlineAsset;
  readonly script: InlineAsset | undefined;
  /** The merchant's look; absent where there is none. */
  readonly branding?: PageBranding;
  /** True where the page may show images of its own origin. A page with a logo may in any case. */
  readonly ownImages?: boolean;
  /** True where browsers may install the page: it has a manifest, icons and a service worker of its own origin. */
  readonly isInstallable?: boolean;
}

/** Joins files into one asset, in this order, without comments and indentation. */
export function inlineAsset(...files: readonly URL[]): InlineAsset {
  return assetOf(files.map(read).join('\n'));
}

export function assetOf(text: string): InlineAsset {
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return { text, hash };
}

/** Styles need no space around these. The space before a colon stays, since it tells a descendant from a state. */
const SPACE_OF_STYLES = /\s*([{};,])\s+|(?<=:) /g;
/** Styles need no zero before the point. */
const ZERO_OF_STYLES = /(?<=[\s:,(-])0(?=\.\d)/g;

/** Stripped types leave rows of spaces. Code that is formatted has none. */
const SPACE_OF_TYPES = / {2,}(?=([(),;]?))/g;

function read(file: URL): string {
  const text = sourceOf(file)
    .replace(/\/\*[\s\S]*?\*\/ ?/g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')
    .trim();
  return file.pathname.endsWith('.css')
    ? text.replace(SPACE_OF_STYLES, '$1').replace(/;}/g, '}').replace(ZERO_OF_STYLES, '')
    : text.replace(SPACE_OF_TYPES, (_, next) => (next ? '' : ' '));
}

/** The build strips the types of `*.browser.ts` files (scripts/bundle.mjs). A run from source finds only the TypeScript. */
function sourceOf(file: URL): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return stripTypeScriptTypes(readFileSync(new URL(file.href.replace(/\.js$/, '.ts')), 'utf8'));
}

/** Colours, type, layout and controls of all pages. They come before a page family's own styles. */
export const SHARED_STYLES: readonly URL[] = ['./base.browser.css', '../parts/controls.browser.css'].map(
  (name) => new URL(name, import.meta.url),
);

/** The shared styles, and those of a page of cards under an amount. */
export const CARD_STYLES: readonly URL[] = [...SHARED_STYLES, new URL('./card.browser.css', import.meta.url)];

/** Makes the buttons of `Copyable` work. It comes after a page family's own script. */
export const COPY_SCRIPT = new URL('../parts/copyable.browser.js', import.meta.url);

/** A style that pages load from their own origin. */
interface LoadedStyle {
  readonly text: string;
  /** The last part of its path, a hash of the text, so that the content of a path never changes. */
  readonly name: string;
  /** The inline style that imports this one. Its source expression also allows styles of the page's origin. */
  readonly imported: InlineAsset;
}

/** @param folder path prefix under which the style is served */
export function loadedStyle(folder: string, { text }: InlineAsset): LoadedStyle {
  const name = `${createHash('sha256').update(text).digest('base64url')}.css`;
  const imported = assetOf(`@import"${folder}/${name}"`);
  return { text, name, imported: { ...imported, hash: `${imported.hash} 'self'` } };
}
