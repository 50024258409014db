// @ts-check
// The document's screens, of which one is shown, and its texts.
/* global TEXTS */

/** In the page's language. @type {any} */
export const text = TEXTS;
export const language = document.documentElement.lang;

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** What opens a screen, by its name. @type {Record<string, (of?: any) => unknown>} */
export const screens = {};

const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-screen]')]);

/** Shows a screen, and hides the others. @param {string} name */
export function show(name) {
  const former = document.body.dataset.shown;
  document.body.dataset.shown = name;
  for (const place of places) place.hidden = place.dataset.screen !== name;
  for (const way of /** @type {HTMLElement[]} */ ([...document.querySelectorAll('nav [data-opens]')])) {
    const isHere = (way.dataset.shows ?? '').split(' ').includes(name);
    if (isHere) way.setAttribute('aria-current', 'page');
    else way.removeAttribute('aria-current');
  }
  if (former === name) return;
  window.scrollTo(0, 0);
  document.querySelector(`[data-screen=${name}] h1`)?.focus?.({ preventScroll: true });
}

export const shown = () => document.body.dataset.shown;

/** @param {string} id @param {string | undefined} words none: the element is hidden */
export function write(id, words) {
  const place = byId(id);
  place.hidden = !words;
  if (words && place.textContent !== words) place.textContent = words;
}

/** A sentence for those who do not see the screen. @param {string} words */
export function say(words) {
  if (byId('news').textContent !== words) byId('news').textContent = words;
}

/** A picture of a QR code, a whole number of pixels a module. @param {{ source: string, size: number }} image @param {string} label */
export function qrPicture({ source, size }, label) {
  const room = Math.min(400, window.innerWidth - 48);
  const width = Math.max(1, Math.floor(room / size)) * size;
  return Object.assign(document.createElement('img'), { src: source, alt: label, width, height: width });
}
