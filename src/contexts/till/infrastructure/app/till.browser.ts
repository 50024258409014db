// Starts the till from the phone's storage, with or without a network.
import { screens, showScreen, pageTexts } from './page.browser.js';
import { takePairingCodeFromUrl } from './pairing-screen.browser.js';
import { showCurrentSaleOrPad, loadStoredSales, resumePolling } from './sale.browser.js';
import { setPairing, Unpaired } from './service.browser.js';
import { loadStoredShop, refreshShop } from './shop.browser.js';
import { keepAwake, loadSoundMuted } from './signals.browser.js';
import { appState } from './app-state.browser.js';
import { readStored } from './store.browser.js';

document.addEventListener('click', (event) => {
  const opens = (event.target as Element).closest<HTMLElement>('[data-opens]')?.dataset.opens;
  if (opens === 'sale') {
    appState.viewed = undefined;
    showCurrentSaleOrPad();
  } else if (opens === 'today' || opens === 'settings') screens[opens]?.();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  if (document.body.dataset.shown === 'payment') keepAwake(true);
  resumePolling();
});
window.addEventListener('online', resumePolling);
window.addEventListener('hashchange', () => takePairingCodeFromUrl() && screens.pairing?.());

async function start(): Promise<void> {
  const pairing = await readStored('pairing');
  const hasCode = takePairingCodeFromUrl();
  if (pairing === undefined) return screens.pairing?.();
  setPairing(pairing);
  await Promise.all([loadStoredShop(), loadSoundMuted()]);
  await loadStoredSales();
  if (hasCode) return screens.pairing?.(pageTexts.pairsAnew);
  showCurrentSaleOrPad();
  await refreshShop();
  if (document.body.dataset.shown === 'pad') screens.pad?.();
}

start().catch((error) => {
  if (error instanceof Unpaired) return screens.pairing?.(pageTexts.unpaired);
  // Only a browser that cannot store anything cannot run the till.
  if (document.body.dataset.shown === undefined) showScreen('broken');
});
navigator.serviceWorker?.register('/till/worker.js', { scope: '/till' }).catch(() => undefined);
