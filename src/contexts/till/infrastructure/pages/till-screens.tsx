import type { ComponentChildren, VNode } from 'preact';
import type { TillPageTexts } from './messages/till.en.js';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';

interface ScreenProps {
  readonly name: string;
  readonly title: string;
  readonly isUnseen?: boolean;
  readonly children: ComponentChildren;
}

/** Opened by name; the keyboard focus moves to its title. */
export function TillScreen({ name, title, isUnseen = false, children }: ScreenProps): VNode {
  return (
    <section data-screen={name} hidden aria-labelledby={`${name}-title`}>
      <h1 id={`${name}-title`} tabIndex={-1} class={isUnseen ? 'unseen' : undefined}>
        {title}
      </h1>
      {children}
    </section>
  );
}

export function PairingScreen(text: TillPageTexts): VNode {
  return (
    <TillScreen name="pairing" title={text.pairTitle}>
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
    </TillScreen>
  );
}

const DIGIT_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function CashRegisterScreen(text: TillPageTexts): VNode {
  return (
    <TillScreen name="pad" title={text.sale} isUnseen>
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
          <p class="price" {...NOT_TRANSLATED} id="typed" aria-live="polite" />
          <p class="note" id="typed-note" hidden />
          <div id="keys">
            {DIGIT_KEYS.map((key) => (
              <PadKey name={key} />
            ))}
            <button type="button" class="key" id="point" data-key="point" aria-label={text.point}>
              .
            </button>
            <PadKey name="0" />
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
    </TillScreen>
  );
}

function PadKey({ name }: { name: string }): VNode {
  return (
    <button type="button" class="key" data-key={name}>
      {name}
    </button>
  );
}

export function PaymentScreen(text: TillPageTexts): VNode {
  return (
    <TillScreen name="payment" title={text.payment} isUnseen>
      <div class="standing">
        <p id="mark" aria-hidden="true" hidden />
        <p class="price" {...NOT_TRANSLATED} id="price" />
        <p id="state" />
        <p id="time-left" hidden />
        <p id="state-note" hidden />
        <p id="steps" hidden />
      </div>
      <div id="ways" hidden>
        <div class="tabs" role="group" aria-label={text.howToPay}>
          <CodeKindButton way="page" label={text.camera} />
          <CodeKindButton way="transfer" label={text.anyWallet} />
          <CodeKindButton way="token" label={text.paymentCode} />
        </div>
        <div id="code" class="qr" />
        <p class="note" id="code-note" />
        <ul id="assets" class="options" />
      </div>
      <div class="acts">
        <p class="problem" id="sale-problem" role="alert" hidden />
        <button type="button" class="button danger large" id="cancel">
          {text.cancel}
        </button>
        <button type="button" class="button primary large" id="next-sale">
          {text.nextSale}
        </button>
        <button type="button" class="button large" id="back">
          {text.backToList}
        </button>
        <a class="button" id="receipt-link" target="_blank" rel="noopener noreferrer">
          {text.receipt}
        </a>
        <button type="button" class="button" id="share">
          {text.share}
        </button>
        <a class="button" id="dashboard-link" target="_blank" rel="noopener noreferrer">
          {text.dashboard}
        </a>
        <p class="note" id="dashboard-note">
          {text.refundNote}
        </p>
        <p class="note" id="sale-reference" {...NOT_TRANSLATED} />
      </div>
      <div id="receipt-code" class="card" hidden>
        <p>{text.receiptNote}</p>
        <div id="receipt-picture" class="qr" />
      </div>
    </TillScreen>
  );
}

function CodeKindButton({ way, label }: { way: string; label: string }): VNode {
  return (
    <button type="button" data-way={way} aria-pressed="false">
      {label}
    </button>
  );
}

export function SettingsScreen(text: TillPageTexts): VNode {
  return (
    <TillScreen name="settings" title={text.settings}>
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
    </TillScreen>
  );
}
