import { inlineAsset } from '../document/inline-asset.js';

/** Browser modules of all page families. They come before the family's own. */
export const SHARED_MODULES: readonly URL[] = ['./elements.browser.js', './units.browser.js'].map(
  (name) => new URL(name, import.meta.url),
);

/** The text of browser modules as one, whose imports and exports are names of one scope. @param modules each behind those that it imports */
export function joinedModules(modules: readonly URL[]): string {
  return inlineAsset(...modules)
    .text.replace(/^import (?:\{[^}]*\}|\S+) from '[^']*';\n/gm, '')
    .replace(/^export /gm, '');
}

/** The same as a script of its own scope, with texts of the page's language in `TEXTS`. */
export function scriptOfModules(modules: readonly URL[], texts: unknown): string {
  return `(() => {\nconst TEXTS = ${JSON.stringify(texts)};\n${joinedModules(modules)}\n})();`;
}
