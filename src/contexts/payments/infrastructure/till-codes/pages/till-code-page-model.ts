import type { CheckoutPageModel, PaymentPageModel } from '../../checkout/pages/checkout-page-model.js';
import type { Messages } from '../../checkout/pages/page-view.js';
import type { TillCodeTexts } from './till-code-messages.js';

/** A rejected amount: it is invalid, or the cashier's request is open. */
export interface TypedBefore {
  readonly amount: string;
  readonly status: number;
  readonly rule?: string | undefined;
}

export interface TillCodePageModel extends Pick<PaymentPageModel, 'merchant' | 'branding' | 'sandbox'> {
  readonly code: string;
  /** Coins in which the payer may type an amount; empty if the cashier types it. */
  readonly coins: readonly string[];
  readonly typed?: TypedBefore | undefined;
  /** The payer's own open session, with the amount typed before. */
  readonly own?:
    { readonly sessionId: string; readonly amount: string; readonly coinCode: string } | undefined;
  /** Set for a request without a hosted page. */
  readonly direct?: CheckoutPageModel | undefined;
}

export type TillCodeText = Messages & TillCodeTexts;
