// @ts-check
// Renders the wallet section. All wallet data is rendered as plain text, and the wallet's icon as an image.
import { element, plain } from '#shared/web/script/elements.browser.js';

/** Image types that run no script in an `<img>`. */
const SAFE_ICON_URL = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/;
const MAX_ICON_URL_LENGTH = 100_000;

/** @param {any} info `info` of EIP-6963 @param {string} otherwise */
export const walletName = (info, otherwise) =>
  typeof info?.name === 'string' && info.name.trim() ? plain(info.name.trim()).slice(0, 40) : otherwise;

/** @param {any} info */
function iconOf(info) {
  const { icon } = info ?? {};
  if (typeof icon !== 'string' || icon.length > MAX_ICON_URL_LENGTH || !SAFE_ICON_URL.test(icon))
    return undefined;
  return element('img', { src: icon, alt: '', width: 24, height: 24 });
}

/**
 * @typedef {{ id: string, label: string, act: () => void, info?: any, isMain?: boolean }} Action
 * @typedef {{ note: string, more?: string[], link?: { label: string, hash: string, href?: string }, isBad?: boolean, actions: Action[] }} View
 */

/** View of the wallet section. Redraws it without moving it in the page or losing the keyboard focus. */
export class WalletView {
  constructor() {
    this.note = element('p', { tabIndex: -1, id: 'wallet-note' });
    this.note.setAttribute('role', 'status');
    this.rest = element('div', { className: 'way' });
    this.root = element('div', { className: 'way', id: 'wallet-root' }, [this.note, this.rest]);
    this.drawn = '';
  }

  /** @param {View} view */
  draw({ note, more = [], link, isBad = false, actions }) {
    const drawn = JSON.stringify([note, more, link, isBad, actions.map(({ id, label }) => [id, label])]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = document.activeElement;
    const held = focused && this.rest.contains(focused) ? focused.id : undefined;
    if (this.note.textContent !== note) this.note.textContent = note;
    this.note.className = isBad ? 'warning' : '';
    const hash =
      link &&
      element(link.href ? 'a' : 'code', { textContent: link.hash, id: 'wallet-hash', translate: false });
    if (link?.href)
      Object.assign(/** @type {object} */ (hash), {
        href: link.href,
        target: '_blank',
        rel: 'noopener noreferrer',
      });
    this.rest.replaceChildren(
      ...more.filter(Boolean).map((line) => element('p', { className: 'note', textContent: plain(line) })),
      ...(link ? [element('p', { className: 'cut' }, [`${link.label}: `, hash])] : []),
      ...actions.map(({ id, label, act, info, isMain }) => {
        const icon = iconOf(info);
        const button = element(
          'button',
          { type: 'button', className: isMain ? 'button primary' : 'button', id },
          [icon, icon && '\u2002', label],
        );
        button.addEventListener('click', act);
        return button;
      }),
    );
    if (held) (document.getElementById(held) ?? this.rest.querySelector('button') ?? this.note).focus();
  }
}
