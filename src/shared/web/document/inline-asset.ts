import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** A style or script that is part of the HTML document. */
export interface InlineAsset {
  readonly text: string;
  /** CSP source expression for `style-src` or `script-src`: the hash of exactly `text`. */
  readonly hash: string;
}

/** The merchant's logo on this origin, with its size in pixels. */
export interface PageLogo {
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** A merchant's branding on a page. Its style comes after the page's own style. */
export interface PageBranding {
  /** Absent without a colour and a logo. */
  readonly style: InlineAsset | undefined;
  readonly logo: PageLogo | undefined;
  /** Link to the merchant's support. */
  readonly supportHref?: string | undefined;
}

/** The inlined style and optional script of a page. */
export interface PageAssets {
  readonly style: InlineAsset;
  readonly script: InlineAsset | undefined;
  /** Absent if the merchant has no branding. */
  readonly branding?: PageBranding;
  /** True if the page may load images from its own origin. A page with a logo always may. */
  readonly ownImages?: boolean;
  /** True if browsers may install the page as an app: its origin serves a manifest, icons and a service worker. */
  readonly isInstallable?: boolean;
}

/** Joins files in order into one style or script, without comments and indentation. */
export function inlineAsset(...files: readonly URL[]): InlineAsset {
  return inlineAssetOf(files.map(readAsset).join('\n'));
}

export function inlineAssetOf(text: string): InlineAsset {
  const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return { text, hash };
}

/** The space before a colon is kept, because `a :hover` differs from `a:hover`. */
const CSS_SPACE = /\s*([{};,])\s+|(?<=:) /g;
/** CSS needs no zero before a decimal point. */
const CSS_LEADING_ZERO = /(?<=[\s:,(-])0(?=\.\d)/g;

/** Removing the types from TypeScript leaves runs of spaces, which the formatted code does not contain. */
const SPACE_LEFT_BY_TYPES = / {2,}(?=([(),;]?))/g;

function readAsset(file: URL): string {
  const text = readJavaScript(file)
    .replace(/\/\*[\s\S]*?\*\/ ?/g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^\s+/gm, '')
    .trim();
  return file.pathname.endsWith('.css')
    ? text.replace(CSS_SPACE, '$1').replace(/;}/g, '}').replace(CSS_LEADING_ZERO, '')
    : text.replace(SPACE_LEFT_BY_TYPES, (_, next) => (next ? '' : ' '));
}

/** The build has already stripped the types (scripts/bundle.mjs), but not when running from source. */
function readJavaScript(file: URL): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  return stripTypeScriptTypes(readFileSync(new URL(file.href.replace(/\.js$/, '.ts')), 'utf8'));
}

/** Colours, fonts, layout and controls of all pages. A page's own style comes after them. */
export const SHARED_STYLES: readonly URL[] = ['./base.browser.css', '../parts/controls.browser.css'].map(
  (name) => new URL(name, import.meta.url),
);

/** Styles of pages that show an amount and cards below it, including the shared styles. */
export const CARD_STYLES: readonly URL[] = [...SHARED_STYLES, new URL('./card.browser.css', import.meta.url)];

/** Script of the `Copyable` buttons. It comes after a page's own script. */
export const COPY_SCRIPT = new URL('../parts/copyable.browser.js', import.meta.url);

/** A style sheet that browsers load from the page's origin. */
interface LoadedStyle {
  readonly text: string;
  /** File name: a hash of the content, so that the content at a URL never changes. */
  readonly name: string;
  /** Inline style that imports the style sheet. Its CSP source expression also allows styles from the page's origin. */
  readonly imported: InlineAsset;
}

/** @param folder path prefix of the style sheet's URL */
export function linkedStyleSheet(folder: string, { text }: InlineAsset): LoadedStyle {
  const name = `${createHash('sha256').update(text).digest('base64url')}.css`;
  const imported = inlineAssetOf(`@import"${folder}/${name}"`);
  return { text, name, imported: { ...imported, hash: `${imported.hash} 'self'` } };
}
