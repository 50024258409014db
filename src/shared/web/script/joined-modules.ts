import { inlineAsset } from '../document/inline-asset.js';

/** Browser modules that all pages need. A page's own modules come after them. */
export const SHARED_BROWSER_MODULES: readonly URL[] = ['./elements.browser.js', './units.browser.js'].map(
  (name) => new URL(name, import.meta.url),
);

/** @param modules each after the modules that it imports */
export function joinedModules(modules: readonly URL[]): string {
  return inlineAsset(...modules)
    .text.replace(/^import (?:\{[^}]*\}|\S+) from '[^']*';\n/gm, '')
    .replace(/^export /gm, '');
}

/** Wraps the joined modules in a function, with the translated texts in the constant `TEXTS`. */
export function scriptOfModules(modules: readonly URL[], texts: unknown): string {
  return `(() => {\nconst TEXTS = ${JSON.stringify(texts)};\n${joinedModules(modules)}\n})();`;
}
