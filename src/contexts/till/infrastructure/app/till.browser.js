// @ts-check
// Starts the till with what the phone has kept, with or without a network.
import { screens, show, text } from './page.browser.js';
import { takeCodeOfAddress } from './pairing-screen.browser.js';
import { now, readKeptSales, wake } from './sale.browser.js';
import { pairWith, Unpaired } from './service.browser.js';
import { readKeptShop, refreshShop } from './shop.browser.js';
import { keepAwake, readMuted } from './signals.browser.js';
import { kept } from './store.browser.js';

document.addEventListener('click', (event) => {
  const opens = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (event.target).closest('[data-opens]')
  )?.dataset.opens;
  if (opens === 'sale') {
    now.looked = undefined;
    screens[now.sale ? 'payment' : 'pad']?.();
  } else if (opens) screens[opens]?.();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  if (document.body.dataset.shown === 'payment') keepAwake(true);
  wake();
});
window.addEventListener('online', wake);
window.addEventListener('hashchange', () => takeCodeOfAddress() && screens.pairing?.());

async function start() {
  const pairing = await kept('pairing');
  const hasCode = takeCodeOfAddress();
  if (pairing === undefined) return screens.pairing?.();
  pairWith(pairing);
  await Promise.all([readKeptShop(), readMuted()]);
  await readKeptSales();
  if (hasCode) return screens.pairing?.(text.pairsAnew);
  screens[now.sale ? 'payment' : 'pad']?.();
  await refreshShop();
  if (document.body.dataset.shown === 'pad') screens.pad?.();
}

start().catch((error) => {
  if (error instanceof Unpaired) return screens.pairing?.(text.unpaired);
  // What the phone has kept is enough to go on; a phone that keeps nothing cannot be a till.
  if (document.body.dataset.shown === undefined) show('broken');
});
navigator.serviceWorker?.register('/till/worker.js', { scope: '/till' }).catch(() => undefined);
