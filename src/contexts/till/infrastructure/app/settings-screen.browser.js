// @ts-check
// The phone's own settings: sound, the point of sale it is paired with, and the way out.
import { byId, screens, show, text, write } from './page.browser.js';
import { pairedWith, pairWith } from './service.browser.js';
import { refreshShop, shop } from './shop.browser.js';
import { muted, setMuted, signal, wakeSound } from './signals.browser.js';
import { drop } from './store.browser.js';

screens.settings = () => {
  show('settings');
  byId('unpair-sure').hidden = true;
  write('settings-problem', undefined);
  drawSettings();
};

function drawSettings() {
  byId('sound').checked = !muted();
  byId('paired-shop').textContent = shop.name;
  byId('paired-device').textContent = pairedWith()?.device_name ?? '';
}

byId('sound').addEventListener('change', () => setMuted(!byId('sound').checked));
byId('try-sound').addEventListener('click', () => {
  wakeSound();
  setTimeout(() => signal('paid'), 100);
});
byId('refresh').addEventListener('click', async () => {
  const problem = await refreshShop().then(
    () => undefined,
    () => text.noAnswer,
  );
  write('settings-problem', problem ?? text.refreshed);
  drawSettings();
});
byId('unpair').addEventListener('click', () => {
  byId('unpair-sure').hidden = false;
  byId('unpair-now').focus();
});
byId('unpair-now').addEventListener('click', async () => {
  await Promise.all(['pairing', 'sales', 'shop'].map(drop));
  pairWith(undefined);
  location.reload();
});
