// The document of the till: its screens, of which one is visible, its elements and its texts.
import type { TillTexts } from '../pages/messages/till.en.js';

declare const TEXTS: TillTexts['script'];

export const pageTexts = TEXTS;
export const language = document.documentElement.lang;

/** Elements with properties that a plain `HTMLElement` does not have. */
type Elements = Record<'charge' | 'pair' | 'point' | 'replace-now', HTMLButtonElement> &
  Record<'device-name' | 'find-product' | 'pairing-code' | 'sound', HTMLInputElement> &
  Record<'dashboard-link' | 'receipt-link', HTMLAnchorElement>;

export const byId = <Id extends string>(id: Id) =>
  document.getElementById(id) as Id extends keyof Elements ? Elements[Id] : HTMLElement;

/** Each screen's module registers its own, so that earlier modules can call it. */
interface Screens {
  pairing?: (reason?: string) => void;
  pad?: () => void;
  tip?: (sale: { total: string; coin: string; done: (tip: string) => unknown }) => void;
  payment?: () => void;
  today?: () => Promise<void>;
  settings?: () => void;
  redraw?: () => void;
}

export const screens: Screens = {};

const sections = [...document.querySelectorAll<HTMLElement>('[data-screen]')];

export function showScreen(name: string): void {
  const former = document.body.dataset.shown;
  document.body.dataset.shown = name;
  for (const section of sections) section.hidden = section.dataset.screen !== name;
  for (const button of document.querySelectorAll<HTMLElement>('nav [data-opens]')) {
    const isCurrent = (button.dataset.shows ?? '').split(' ').includes(name);
    if (isCurrent) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  if (former === name) return;
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>(`[data-screen=${name}] h1`)?.focus?.({ preventScroll: true });
}

export const currentScreenName = () => document.body.dataset.shown;

export function setText(id: string, words: string | undefined): void {
  const place = byId(id);
  place.hidden = !words;
  if (words && place.textContent !== words) place.textContent = words;
}

export function announceUpdate(words: string): void {
  if (byId('news').textContent !== words) byId('news').textContent = words;
}

/** Each module has a whole number of pixels. */
export function qrPicture({ source, size }: { source: string; size: number }, label: string) {
  const room = Math.min(400, window.innerWidth - 48);
  const width = Math.max(1, Math.floor(room / size)) * size;
  return Object.assign(document.createElement('img'), { src: source, alt: label, width, height: width });
}
