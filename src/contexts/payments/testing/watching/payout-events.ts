import type { PaymentRequestView } from '../../application/requests/payment-request-view.js';
import type { Sent } from './model-block.js';

/** A payout from the request's address. A tenth of it is the fee. */
export const paidOut = (
  { address }: PaymentRequestView,
  token: string,
  amount: bigint,
  given: Partial<Sent> = {},
): Sent => ({ to: address, token, amount, kind: 'payout', fee: amount / 10n, ...given });
