// @ts-check
// What the script knows at the moment. Whoever changes it calls `changed`, and the page shows it.
/* global TEXTS */

/**
 * @typedef {{ info: any, provider: any }} Found
 * @typedef {ReturnType<typeof import('./session-facts.browser.js').factsOf>} Facts
 * @typedef {{ account: string, held: bigint, fee?: bigint, signature?: any, facts: Facts }} Ready
 */

/** In the page's language. @type {any} */
export const text = TEXTS;

/** The wallets that the loader has found; it adds those that announce themselves later. @type {Found[]} */
export const found = /** @type {any} */ (window).browserWallets;

export const now = {
  /** The page's section. @type {HTMLElement | undefined} */
  part: undefined,
  /** What that section says is to be paid. @type {any} */
  facts: undefined,
  /** The wallet that was chosen. @type {Found | undefined} */
  wallet: undefined,
  /** What can be paid at a press. @type {Ready | undefined} */
  ready: undefined,
  /** The hash of a transaction that the wallet's network does not know. @type {string | undefined} */
  unknown: undefined,
  /** What is being waited for: the key of a text. @type {string | undefined} */
  work: undefined,
  /** Why nothing was paid. @type {any} */
  problem: undefined,
  draw: () => {},
};

/** @param {Partial<typeof now>} [changes] */
export function changed(changes = {}) {
  Object.assign(now, changes);
  now.draw();
}
