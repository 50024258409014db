import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** An inlined style or script. */
export interface InlineAsset {
  readonly text: string;
  /** Source expression for `style-src` or `script-src`: the hash of exactly `text`. */
  readonly hash: string;
}

/** The merchant's logo from this origin, with its size in pixels. */
export interface ShownLogo {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** A merchant's branding on a page. Its style follows the page's own. */
export interface PageBranding {
  readonly style: InlineAsset;
  readonly logo: ShownLogo | undefined;
}

/** Inlined style and optional script of a page. */
export interface PageAssets {
  readonly style: InlineAsset;
  readonly script: InlineAsset | undefined;
  /** Absent if the merchant has no branding. */
  readonly branding?: PageBranding;
  /** True if the page may load images of its origin. A logo implies it. */
  readonly ownImages?: boolean;
  /** True if browsers may install the page: it has a manifest, icons and a service worker of its origin. */
  readonly isInstallable?: boolean;
}

/** Joins files in order into one asset, without comments and indentation. */
export function inlineAsset(...files: readonly URL[]): InlineAsset {
  return assetOf(files.map(read).join('\n'));
}

export function assetOf(text: string): InlineAsset {
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return { text, hash };
}

/**
 * Styles need no space around these characters. The space before a colon stays, because it distinguishes a descendant from
 * a state.
 */
const SPACE_OF_STYLES = /\s*([{};,])\s+|(?<=:) /g;
/** Styles need no zero before the decimal point. */
const ZERO_OF_STYLES = /(?<=[\s:,(-])0(?=\.\d)/g;

/** Removing types leaves runs of spaces, which formatted code does not have. */
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

/**
 * Returns the JavaScript of a `*.browser.ts` file. The build strips the types (scripts/bundle.mjs); a run from source has
 * only the TypeScript.
 */
function sourceOf(file: URL): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return stripTypeScriptTypes(readFileSync(new URL(file.href.replace(/\.js$/, '.ts')), 'utf8'));
}

/** Colours, type, layout and controls of all pages. They precede a page's own styles. */
export const SHARED_STYLES: readonly URL[] = ['./base.browser.css', '../parts/controls.browser.css'].map(
  (name) => new URL(name, import.meta.url),
);

/** Shared styles and those of pages with cards below an amount. */
export const CARD_STYLES: readonly URL[] = [...SHARED_STYLES, new URL('./card.browser.css', import.meta.url)];

/** Script of the `Copyable` buttons. It follows a page's own script. */
export const COPY_SCRIPT = new URL('../parts/copyable.browser.js', import.meta.url);

/** A style sheet loaded from the page's origin. */
interface LoadedStyle {
  readonly text: string;
  /** File name: a hash of the content, so that the content of a path never changes. */
  readonly name: string;
  /** Inline style that imports this one. Its source expression also allows styles of the page's origin. */
  readonly imported: InlineAsset;
}

/** @param folder path prefix of the style sheet */
export function loadedStyle(folder: string, { text }: InlineAsset): LoadedStyle {
  const name = `${createHash('sha256').update(text).digest('base64url')}.css`;
  const imported = assetOf(`@import"${folder}/${name}"`);
  return { text, name, imported: { ...imported, hash: `${imported.hash} 'self'` } };
}
