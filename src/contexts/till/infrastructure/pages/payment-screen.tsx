import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { Screen } from './screen.js';
import type { TillPageTexts } from './messages/till.en.js';

/** The state, readable across a counter, the payer's QR code, and the cashier's next actions. */
export function PaymentScreen(text: TillPageTexts): VNode {
  return (
    <Screen name="payment" title={text.payment} isUnseen>
      <div class="standing">
        <p id="mark" aria-hidden="true" hidden />
        <p class="price" {...EXACT} id="price" />
        <p id="state" />
        <p id="time-left" hidden />
        <p id="state-note" hidden />
        <p id="steps" hidden />
      </div>
      <div id="ways" hidden>
        <div class="tabs" role="group" aria-label={text.howToPay}>
          <WayButton way="page" label={text.camera} />
          <WayButton way="transfer" label={text.anyWallet} />
          <WayButton way="token" label={text.paymentCode} />
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
        <p class="note" id="sale-reference" {...EXACT} />
      </div>
      <div id="receipt-code" class="card" hidden>
        <p>{text.receiptNote}</p>
        <div id="receipt-picture" class="qr" />
      </div>
    </Screen>
  );
}

function WayButton({ way, label }: { way: string; label: string }): VNode {
  return (
    <button type="button" data-way={way} aria-pressed="false">
      {label}
    </button>
  );
}
