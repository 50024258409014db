// @ts-check
// Pairs the phone with a point of sale, by a code that the dashboard shows.
import { filled } from '#shared/web/script/elements.browser.js';
import { byId, screens, show, text, write } from './page.browser.js';
import { forgetSales, keepSales, now, wake } from './sale.browser.js';
import { ask, pairedWith, pairWith, Refused } from './service.browser.js';
import { forgetShop, refreshShop, shop } from './shop.browser.js';
import { wakeSound } from './signals.browser.js';
import { keep } from './store.browser.js';

const form = byId('pairing');

/** @param {string} [reason] */
screens.pairing = (reason) => {
  show('pairing');
  byId('replace-sure').hidden = true;
  write('pairing-problem', reason);
};

/** The code that a QR code brought. It leaves the address, so that no history keeps it. @returns whether there is one */
export function takeCodeOfAddress() {
  const code = new window.URLSearchParams(location.hash.slice(1)).get('pair');
  if (!code) return false;
  window.history.replaceState(null, '', location.pathname);
  byId('pairing-code').value = code;
  return true;
}

form.addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  wakeSound();
  await once(pairOrAsk);
});
byId('replace-now').addEventListener('click', () => once(pair));
byId('replace-not').addEventListener('click', () => {
  byId('pairing-code').value = '';
  screens[now.sale ? 'payment' : 'pad']?.();
});

/** @param {() => Promise<void>} act */
async function once(act) {
  const buttons = [byId('pair'), byId('replace-now')];
  for (const button of buttons) button.disabled = true;
  await act().catch((error) => write('pairing-problem', reasonOf(error)));
  for (const button of buttons) button.disabled = false;
}

/** A link may come from anybody: the cashier reads whose till the code is for before a pairing with another ends. */
async function pairOrAsk() {
  const present = pairedWith();
  if (present === undefined) return pair();
  const code = byId('pairing-code').value.trim();
  const found = await ask('POST', '/public/till/pairing/subject', { code });
  if (found.point_of_sale_id === present.point_of_sale_id) return pair();
  byId('replace-note').textContent = filled(text.replaceNote, {
    present: shop.name,
    point: found.point_of_sale_name ?? '?',
    account: found.account_name,
    organization: found.organization_name,
  });
  byId('replace-sure').hidden = false;
  byId('replace-now').focus();
}

async function pair() {
  const code = byId('pairing-code').value.trim();
  const device_name = byId('device-name').value.trim();
  const credential = await ask('POST', '/public/till/pairing', { code, device_name });
  const pairing = { ...credential, device_name };
  const isSame = pairedWith()?.point_of_sale_id === pairing.point_of_sale_id;
  await (isSame ? keepSales() : Promise.all([forgetSales(), forgetShop()]));
  await keep('pairing', pairing);
  await /** @type {any} */ (navigator).storage?.persist?.().catch(() => false);
  pairWith(pairing);
  byId('pairing-code').value = '';
  // Without its settings the till says so by itself, and asks again.
  await refreshShop().catch(() => undefined);
  screens[now.sale ? 'payment' : 'pad']?.();
  wake();
}

/** @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Refused)) return text.noAnswer;
  return error.code === 'pairing_code_invalid' ? text.codeInvalid : error.message;
}
