import type { VNode } from 'preact';
import { Screen } from './screen.js';
import type { TillPageTexts } from './messages/till.en.js';

export function SettingsScreen(text: TillPageTexts): VNode {
  return (
    <Screen name="settings" title={text.settings}>
      <div class="card">
        <dl class="facts">
          <div class="fact">
            <dt>{text.pairedShop}</dt>
            <dd id="paired-shop" />
          </div>
          <div class="fact">
            <dt>{text.pairedDevice}</dt>
            <dd id="paired-device" />
          </div>
        </dl>
        <label class="switch">
          <input type="checkbox" id="sound" /> {text.sound}
        </label>
        <button type="button" class="button" id="try-sound">
          {text.trySound}
        </button>
        <button type="button" class="button" id="refresh">
          {text.refresh}
        </button>
        <p class="note" id="settings-problem" role="status" hidden />
        <button type="button" class="button danger" id="unpair">
          {text.unpair}
        </button>
        <div id="unpair-sure" hidden>
          <p class="warning">{text.unpairNote}</p>
          <button type="button" class="button danger" id="unpair-now">
            {text.unpairNow}
          </button>
        </div>
      </div>
    </Screen>
  );
}
