import type { Occupied } from '#contexts/payments/domain/till-codes/occupied-till.js';
import type { CheckoutPageModel, PaymentPageModel } from '../../checkout/pages/checkout-page-model.js';
import type { Messages } from '../../checkout/pages/messages/messages.js';
import type { TillCodeTexts } from './till-code-messages.js';

/** An amount that was refused: for a rule that it breaks, or because somebody else is paying. */
export interface TypedBefore {
  readonly amount: string;
  readonly status: number;
  readonly rule?: string | undefined;
  readonly occupied?: Occupied;
}

export interface TillCodePageModel extends Pick<PaymentPageModel, 'merchant' | 'branding' | 'sandbox'> {
  readonly code: string;
  /** Coins in which the payer may type an amount; none where the cashier does. */
  readonly coins: readonly string[];
  readonly typed?: TypedBefore | undefined;
  /** A request without a hosted page. */
  readonly direct?: CheckoutPageModel | undefined;
}

export type TillCodeText = Messages & TillCodeTexts;
