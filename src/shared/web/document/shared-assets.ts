/** Colours, type, layout and controls of all pages. They come before a page family's own styles. */
export const SHARED_STYLES: readonly URL[] = ['./base.browser.css', '../parts/controls.browser.css'].map(
  (name) => new URL(name, import.meta.url),
);

/** Makes the buttons of `Copyable` work. It comes after a page family's own script. */
export const COPY_SCRIPT = new URL('../parts/copyable.browser.js', import.meta.url);
