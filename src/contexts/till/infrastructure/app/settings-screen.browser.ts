// The phone's own settings: sound, the paired point of sale, and unpairing.
import { byId, screens, show, text, write } from './page.browser.js';
import { pairWith } from './service.browser.js';
import { refreshShop } from './shop.browser.js';
import { muted, setMuted, signal, wakeSound } from './signals.browser.js';
import { app } from './app-state.browser.js';
import { drop } from './store.browser.js';

screens.settings = () => {
  show('settings');
  byId('unpair-sure').hidden = true;
  write('settings-problem', undefined);
  drawSettings();
};

function drawSettings(): void {
  byId('sound').checked = !muted();
  byId('paired-shop').textContent = app.shop.name;
  byId('paired-device').textContent = app.pairing?.device_name ?? '';
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
  await Promise.all([drop('pairing'), drop('sales'), drop('shop')]);
  pairWith(undefined);
  location.reload();
});
