import { make } from './elements.js';
import { messageOf, windowName } from './page-messages.js';
import type { PaymentPage } from './payment-page.js';
import type { Wording } from './wording.js';

/** Milliseconds after the load event of the frame. A page that can be embedded has posted a message by then. */
const EMBED_TIMEOUT_MS = 1_000;
const WATCH_MS = 500;

export type NotificationName = 'payment-status' | 'payment-close';

/** One visit to the payment page, from the press of the button until the page is closed. */
export class PaymentVisit {
  /** Last status received from the page. */
  status: string | undefined;
  fulfilled: boolean | undefined;
  #opened: Window | null = null;
  #dialog: HTMLDialogElement | undefined;
  #isReady = false;
  #watch: number | undefined;

  constructor(
    readonly page: PaymentPage,
    private readonly place: ShadowRoot,
    private readonly wording: Wording,
    private readonly notify: (name: NotificationName, visit: PaymentVisit) => void,
  ) {
    addEventListener('message', this.#receive);
    if (page.inDialog) this.#openDialog();
    else this.#openTab();
  }

  /** Stops listening to the page and removes the dialog. A tab stays open. */
  end(): void {
    removeEventListener('message', this.#receive);
    clearInterval(this.#watch);
    this.#removeDialog();
  }

  #removeDialog(): void {
    if (this.#dialog !== undefined) this.#dialog.onclose = null;
    this.#dialog?.remove();
  }

  readonly #receive = (event: MessageEvent): void => {
    const message = messageOf(this.page, this.#opened, event);
    if (message === undefined) return;
    this.#isReady = true;
    if (message.status !== this.status) {
      this.status = message.status;
      this.fulfilled = message.fulfilled;
      this.notify('payment-status', this);
    }
    if (message.event === 'close') this.#close();
  };

  #close(): void {
    this.end();
    // Closes a tab. A frame was already removed with its dialog.
    this.#opened?.close();
    this.notify('payment-close', this);
  }

  #openDialog(): void {
    const { wording, page } = this;
    const close = make('button', { part: 'close', type: 'button', 'aria-label': wording.close }, '×');
    const frame = make('iframe', {
      part: 'frame',
      title: wording.dialog,
      name: windowName(page),
      allow: 'clipboard-write',
      src: page.url,
    });
    const dialog = make('dialog', { part: 'dialog', 'aria-label': wording.dialog }, close, frame);
    close.onclick = () => dialog.close();
    dialog.onclose = () => this.#close();
    const isRefused = () => !this.#isReady && dialog.isConnected;
    frame.onload = () => setTimeout(() => isRefused() && this.#openTab(), EMBED_TIMEOUT_MS);
    this.#dialog = dialog;
    this.place.append(dialog);
    this.#opened = frame.contentWindow;
    dialog.showModal();
  }

  #openTab(): void {
    this.#removeDialog();
    this.#opened = window.open(this.page.url, windowName(this.page));
    if (this.#opened === null) {
      this.end();
      location.assign(this.page.url);
      return;
    }
    // A tab in another browsing context group (COOP) appears closed. It never posts, so it is not treated as closed.
    const isClosed = () => this.#isReady && this.#opened?.closed === true;
    this.#watch = setInterval(() => isClosed() && this.#close(), WATCH_MS);
  }
}
