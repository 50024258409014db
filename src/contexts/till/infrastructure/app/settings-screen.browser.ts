// The phone's own settings: sound, the paired point of sale, and unpairing.
import { byId, screens, showScreen, pageTexts, setText } from './page.browser.js';
import { setPairing } from './service.browser.js';
import { refreshShop } from './shop.browser.js';
import { isSoundMuted, setSoundMuted, playSignal, unlockSound } from './signals.browser.js';
import { appState } from './app-state.browser.js';
import { deleteStored } from './store.browser.js';

screens.settings = () => {
  showScreen('settings');
  byId('unpair-sure').hidden = true;
  setText('settings-problem', undefined);
  drawSettings();
};

function drawSettings(): void {
  byId('sound').checked = !isSoundMuted();
  byId('paired-shop').textContent = appState.shop.name;
  byId('paired-device').textContent = appState.pairing?.device_name ?? '';
}

byId('sound').addEventListener('change', () => setSoundMuted(!byId('sound').checked));
byId('try-sound').addEventListener('click', () => {
  unlockSound();
  setTimeout(() => playSignal('paid'), 100);
});
byId('refresh').addEventListener('click', async () => {
  const problem = await refreshShop().then(
    () => undefined,
    () => pageTexts.noAnswer,
  );
  setText('settings-problem', problem ?? pageTexts.refreshed);
  drawSettings();
});
byId('unpair').addEventListener('click', () => {
  byId('unpair-sure').hidden = false;
  byId('unpair-now').focus();
});
byId('unpair-now').addEventListener('click', async () => {
  await Promise.all([deleteStored('pairing'), deleteStored('sales'), deleteStored('shop')]);
  setPairing(undefined);
  location.reload();
});
