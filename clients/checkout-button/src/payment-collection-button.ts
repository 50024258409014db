import { make, styleSheet } from './elements.js';
import { readPage } from './payment-page.js';
import { PaymentVisit, type NotificationName } from './payment-visit.js';
import { wordingFor } from './wording.js';

export interface PaymentNotice {
  /** The payment request's status as the page has shown it: a hint, not a proof. Undefined where it is not known. */
  readonly status: string | undefined;
  /** The merchant takes it as paid: also where `underpaid` by no more than is tolerated. A hint, like the status. */
  readonly fulfilled: boolean | undefined;
  readonly sessionId: string;
}

/** `payment-status` comes with each status that the page shows, `payment-close` once the page is closed. Both bubble. */
export type PaymentEvent = CustomEvent<PaymentNotice>;

const ENDED = ['completed', 'overpaid', 'underpaid', 'expired', 'failed'];

// A server that renders pages imports the module too, and has no elements.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * A button that opens the payer's page of one checkout, in a dialog or a tab. Attributes: `session` or `url`, `host`, `mode`,
 * `return`, `disabled`. The label is the element's content; `::part(button)`, `dialog`, `frame` and `close` can be styled.
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
   * Does what a press of the button does: browsers open a tab only for an act of the payer.
   * @throws TypeError that names the attribute that is missing or malformed
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
