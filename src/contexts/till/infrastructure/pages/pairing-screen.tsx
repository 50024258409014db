import type { VNode } from 'preact';
import { Screen } from './screen.js';
import type { TillPageTexts } from './messages/till.en.js';

export function PairingScreen(text: TillPageTexts): VNode {
  return (
    <Screen name="pairing" title={text.pairTitle}>
      <p class="note">{text.pairNote}</p>
      <form id="pairing" class="card">
        <p class="problem" id="pairing-problem" role="alert" hidden />
        <label for="pairing-code">{text.pairingCode}</label>
        <input
          id="pairing-code"
          class="code"
          required
          maxLength={20}
          autocomplete="off"
          autocapitalize="characters"
          autocorrect="off"
          spellcheck={false}
        />
        <label for="device-name">{text.deviceName}</label>
        <input id="device-name" required maxLength={64} value={text.deviceDefault} autocomplete="off" />
        <button class="button primary large" id="pair">
          {text.pair}
        </button>
      </form>
      <div id="replace-sure" class="card" hidden>
        <p class="warning" id="replace-note" />
        <button type="button" class="button danger" id="replace-now">
          {text.replaceNow}
        </button>
        <button type="button" class="button" id="replace-not">
          {text.replaceNot}
        </button>
      </div>
    </Screen>
  );
}
