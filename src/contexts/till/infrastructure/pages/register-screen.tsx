import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { Screen } from './screen.js';
import type { TillPageTexts } from './messages/till.en.js';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function RegisterScreen(text: TillPageTexts): VNode {
  return (
    <Screen name="pad" title={text.sale} isUnseen>
      <div id="no-settings" class="card" hidden>
        <h2>{text.noSettings}</h2>
        <p>{text.noSettingsNote}</p>
        <button type="button" class="button primary" id="read-settings">
          {text.readSettings}
        </button>
      </div>
      <div id="register">
        <div class="pad">
          <p class="problem" id="pad-problem" role="alert" hidden />
          <p class="left" id="left" hidden />
          <p class="price" {...EXACT} id="typed" aria-live="polite" />
          <p class="note" id="typed-note" hidden />
          <div id="keys">
            {KEYS.map((key) => (
              <Key name={key} />
            ))}
            <button type="button" class="key" id="point" data-key="point" aria-label={text.point}>
              .
            </button>
            <Key name="0" />
            <button type="button" class="key" data-key="back" aria-label={text.back}>
              ⌫
            </button>
          </div>
        </div>
        <div id="products">
          <h2>{text.products}</h2>
          <input
            type="search"
            id="find-product"
            aria-label={text.findProduct}
            placeholder={text.findProduct}
          />
          <ul id="product-list" />
        </div>
        <div class="acts">
          <button type="button" class="button" data-key="clear" id="clear">
            {text.clear}
          </button>
          <button type="button" class="button" id="open-products" aria-expanded="false">
            {text.products}
          </button>
          <button type="button" class="button primary large" id="charge" />
        </div>
      </div>
    </Screen>
  );
}

function Key({ name }: { name: string }): VNode {
  return (
    <button type="button" class="key" data-key={name}>
      {name}
    </button>
  );
}
