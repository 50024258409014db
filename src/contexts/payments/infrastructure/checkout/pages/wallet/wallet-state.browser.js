// @ts-check
// State of the wallet script. Every change must call `changed`, which redraws the page.
/* global TEXTS */

/**
 * @typedef {{ info: any, provider: any }} Found
 * @typedef {ReturnType<typeof import('./session-facts.browser.js').readPaymentFacts>} Facts
 * @typedef {{ account: string, held: bigint, fee?: bigint, signature?: any, facts: Facts }} Ready
 */

/** Messages in the page's language. @type {any} */
export const text = TEXTS;

/** Wallets found by the loader, which adds wallets that announce themselves later. @type {Found[]} */
export const found = /** @type {any} */ (window).browserWallets;

export const now = {
  /** The page's browser wallet section. @type {HTMLElement | undefined} */
  part: undefined,
  /** Requested payment, read from `part`. @type {any} */
  facts: undefined,
  /** @type {Found | undefined} */
  wallet: undefined,
  /** Prepared payment that the payer starts with one press. @type {Ready | undefined} */
  ready: undefined,
  /** Hash of a transaction that the wallet's network does not know. @type {string | undefined} */
  unknown: undefined,
  /** Message key of the running task. @type {string | undefined} */
  work: undefined,
  /** @type {any} */
  problem: undefined,
  draw: () => {},
};

/** @param {Partial<typeof now>} [changes] */
export function changed(changes = {}) {
  Object.assign(now, changes);
  now.draw();
}
