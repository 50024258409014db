import { make, styleSheet } from './elements.js';
import { readPage } from './payment-page.js';
import { PaymentVisit, type NotificationName } from './payment-visit.js';
import { wordingFor } from './wording.js';

export interface PaymentNotice {
  /** Last payment status shown by the page; undefined if none was received. A hint, not a proof of payment. */
  readonly status: string | undefined;
  /** True if the payment counts as paid, including `underpaid` within the tolerance. A hint, not a proof of payment. */
  readonly fulfilled: boolean | undefined;
  readonly sessionId: string;
}

/** `payment-status` is dispatched for each status that the page shows, `payment-close` when the page is closed. Both bubble. */
export type PaymentEvent = CustomEvent<PaymentNotice>;

const ENDED = ['completed', 'overpaid', 'underpaid', 'expired', 'failed'];

// Servers that render pages also import the module, and have no `HTMLElement`.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * Button that opens the payment page of a checkout in a dialog or tab. Attributes: `session` or `url`, `host`, `mode`, `return`,
 * `disabled`. The content is the label. The parts `button`, `dialog`, `frame` and `close` can be styled with `::part()`.
 */
export class PaymentCollectionButton extends Base {
  static readonly observedAttributes = ['disabled', 'mode', 'lang'];

  readonly #slot = make('slot');
  readonly #button = make('button', { part: 'button', type: 'button' }, this.#slot);
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true });
  #visit: PaymentVisit | undefined;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.#root.append(this.#button);
    this.#button.onclick = () => this.open();
  }

  connectedCallback(): void {
    this.attributeChangedCallback();
  }

  attributeChangedCallback(): void {
    this.#slot.textContent = wordingFor(this).pay;
    this.#button.disabled = this.hasAttribute('disabled');
    this.#button.ariaHasPopup = this.getAttribute('mode') === 'tab' ? null : 'dialog';
  }

  disconnectedCallback(): void {
    this.#visit?.end();
  }

  /**
   * Opens the payment page, as if the button were pressed. Call it in a click handler, because browsers open a tab only after a user action.
   * @throws TypeError if an attribute is missing or malformed
   */
  open(): void {
    const page = readPage(this, import.meta.url);
    this.#visit?.end();
    this.#visit = new PaymentVisit(page, this.#root, wordingFor(this), (name, visit) =>
      this.#notify(name, visit),
    );
  }

  #notify(name: NotificationName, { status, fulfilled, page: { session, returnTo } }: PaymentVisit): void {
    const detail: PaymentNotice = { status, fulfilled, sessionId: session };
    if (name === 'payment-close') this.#button.focus();
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    if (name !== 'payment-close' || !returnTo || !status || !ENDED.includes(status)) return;
    returnTo.searchParams.set('session_id', session);
    returnTo.searchParams.set('status', status);
    location.assign(returnTo);
  }
}
