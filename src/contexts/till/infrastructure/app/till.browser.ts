// Starts the till from the phone's storage, with or without a network.
import { screens, show, text } from './page.browser.js';
import { takeCodeOfAddress } from './pairing-screen.browser.js';
import { openSale, readKeptSales, wake } from './sale.browser.js';
import { pairWith, Unpaired } from './service.browser.js';
import { readKeptShop, refreshShop } from './shop.browser.js';
import { keepAwake, readMuted } from './signals.browser.js';
import { app } from './app-state.browser.js';
import { kept } from './store.browser.js';

document.addEventListener('click', (event) => {
  const opens = (event.target as Element).closest<HTMLElement>('[data-opens]')?.dataset.opens;
  if (opens === 'sale') {
    app.viewed = undefined;
    openSale();
  } else if (opens === 'today' || opens === 'settings') screens[opens]?.();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  if (document.body.dataset.shown === 'payment') keepAwake(true);
  wake();
});
window.addEventListener('online', wake);
window.addEventListener('hashchange', () => takeCodeOfAddress() && screens.pairing?.());

async function start(): Promise<void> {
  const pairing = await kept('pairing');
  const hasCode = takeCodeOfAddress();
  if (pairing === undefined) return screens.pairing?.();
  pairWith(pairing);
  await Promise.all([readKeptShop(), readMuted()]);
  await readKeptSales();
  if (hasCode) return screens.pairing?.(text.pairsAnew);
  openSale();
  await refreshShop();
  if (document.body.dataset.shown === 'pad') screens.pad?.();
}

start().catch((error) => {
  if (error instanceof Unpaired) return screens.pairing?.(text.unpaired);
  // Only a browser that cannot store anything cannot run the till.
  if (document.body.dataset.shown === undefined) show('broken');
});
navigator.serviceWorker?.register('/till/worker.js', { scope: '/till' }).catch(() => undefined);
