import { inlineAsset } from '../document/inline-asset.js';

/** Browser modules for all pages. They precede a page's own modules. */
export const SHARED_MODULES: readonly URL[] = ['./elements.browser.js', './units.browser.js'].map(
  (name) => new URL(name, import.meta.url),
);

/** Joins browser modules into one scope by removing imports and exports. @param modules each after its imports */
export function joinedModules(modules: readonly URL[]): string {
  return inlineAsset(...modules)
    .text.replace(/^import (?:\{[^}]*\}|\S+) from '[^']*';\n/gm, '')
    .replace(/^export /gm, '');
}

/** Wraps the joined modules in a function scope, with translated strings in `TEXTS`. */
export function scriptOfModules(modules: readonly URL[], texts: unknown): string {
  return `(() => {\nconst TEXTS = ${JSON.stringify(texts)};\n${joinedModules(modules)}\n})();`;
}
