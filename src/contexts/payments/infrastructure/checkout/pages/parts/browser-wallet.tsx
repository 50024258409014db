import type { VNode } from 'preact';
import type { PageSelection } from '../checkout-page-model.js';
import type { PageView } from '../page-view.js';

/** The place of a wallet in the payer's browser; its way to pay is offered once a script shows it. */
export function BrowserWallet(_: PageView & { selected: PageSelection }): VNode {
  return <section id="browser-wallet" hidden />;
}
