import type { CheckoutView } from '../../../application/requests/checkout-view.js';

/** Newer heads of the networks than a view was read with, by network. */
export type Heads = ReadonlyMap<string, number>;

/** Says a checkout session as its payer is told it. */
export abstract class PayersView {
  /** What becomes `data` of the answer, as JSON. Asks nobody. */
  abstract forPayer(view: CheckoutView, heads?: Heads): object;
}
