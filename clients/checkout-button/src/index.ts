import { PaymentCollectionButton } from './payment-collection-button.js';

export { PaymentCollectionButton };
export type { PaymentEvent, PaymentNotice } from './payment-collection-button.js';

const NAME = 'payment-collection-button';

// A page may load the module twice, and servers that render pages have no `customElements`.
if (globalThis.customElements?.get(NAME) === undefined)
  globalThis.customElements?.define(NAME, PaymentCollectionButton);
