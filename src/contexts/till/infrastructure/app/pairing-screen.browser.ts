// Pairs the phone with a point of sale, using a code that the dashboard displays.
import { filled } from '#shared/web/script/elements.browser.js';
import { appState } from './app-state.browser.js';
import { byId, screens, showScreen, pageTexts, setText } from './page.browser.js';
import {
  deleteStoredSales,
  keepSalesForNewPairing,
  showCurrentSaleOrPad,
  resumePolling,
} from './sale.browser.js';
import { callApiWithoutToken, setPairing, RequestRefused } from './service.browser.js';
import { forgetShop, refreshShop } from './shop.browser.js';
import { unlockSound } from './signals.browser.js';
import { writeStored } from './store.browser.js';

screens.pairing = (reason) => {
  showScreen('pairing');
  byId('replace-sure').hidden = true;
  setText('pairing-problem', reason);
};

/** The browser history must not store the code. @returns true if the URL contained a code */
export function takePairingCodeFromUrl(): boolean {
  const code = new window.URLSearchParams(location.hash.slice(1)).get('pair');
  if (!code) return false;
  window.history.replaceState(null, '', location.pathname);
  byId('pairing-code').value = code;
  return true;
}

byId('pairing').addEventListener('submit', async (event) => {
  event.preventDefault();
  unlockSound();
  await once(pairOrConfirm);
});
byId('replace-now').addEventListener('click', () => once(pair));
byId('replace-not').addEventListener('click', () => {
  byId('pairing-code').value = '';
  showCurrentSaleOrPad();
});

async function once(act: () => Promise<void>): Promise<void> {
  const buttons = [byId('pair'), byId('replace-now')];
  for (const button of buttons) button.disabled = true;
  await act().catch((error) => setText('pairing-problem', reasonOf(error)));
  for (const button of buttons) button.disabled = false;
}

/** Anyone can send a link with a code. */
async function pairOrConfirm(): Promise<void> {
  if (appState.pairing === undefined) return pair();
  const { point_of_sale_id: present } = appState.pairing;
  const code = byId('pairing-code').value.trim();
  const found = await callApiWithoutToken('POST', '/public/till/pairing/subject', { body: { code } });
  if (found.point_of_sale_id === present) return pair();
  byId('replace-note').textContent = filled(pageTexts.replaceNote, {
    present: appState.shop.name,
    point: found.point_of_sale_name ?? '?',
    account: found.account_name,
    organization: found.organization_name,
  });
  byId('replace-sure').hidden = false;
  byId('replace-now').focus();
}

async function pair(): Promise<void> {
  const code = byId('pairing-code').value.trim();
  const device_name = byId('device-name').value.trim();
  const credential = await callApiWithoutToken('POST', '/public/till/pairing', {
    body: { code, device_name },
  });
  const pairing = { ...credential, device_name };
  const isSame = appState.pairing?.point_of_sale_id === pairing.point_of_sale_id;
  await (isSame ? keepSalesForNewPairing() : Promise.all([deleteStoredSales(), forgetShop()]));
  await writeStored('pairing', pairing);
  await navigator.storage?.persist?.().catch(() => false);
  setPairing(pairing);
  byId('pairing-code').value = '';
  // The pad then offers to load the settings again.
  await refreshShop().catch(() => undefined);
  showCurrentSaleOrPad();
  resumePolling();
}

function reasonOf(error: unknown): string {
  if (!(error instanceof RequestRefused)) return pageTexts.noAnswer;
  return error.code === 'pairing_code_invalid' ? pageTexts.codeInvalid : error.message;
}
