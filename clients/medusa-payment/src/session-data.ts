import type { Payment } from '../../plugin-contract/src/payment.js';
import type { Price } from '../../plugin-contract/src/price.js';

export type { Payment };

/** Refund in the service for a payment in Medusa. */
export interface RefundOfPayment {
  readonly id: string;
  /** Id of the refund in Medusa. */
  readonly refund_id: string;
  /** Amount in `currency`, the received asset. */
  readonly amount: string;
  readonly currency: string;
  /** Encrypted URL of the claim page. Decrypt it with `claimUrlOf`. Absent if the response with the URL was lost. */
  readonly claim?: string | undefined;
  readonly claim_expires_at?: string | undefined;
}

/** `data` of a payment session and of a payment. The storefront can read but not change it. */
export interface SessionData extends Record<string, unknown> {
  /** Id of Medusa's payment session, and the `reference_id` of its payment request. */
  readonly session_id: string;
  readonly payment_request_id: string;
  /** Price, as a decimal string in `coin_code`. */
  readonly amount: string;
  readonly coin_code: string;
  /** Status of the payment request when it was last read. */
  readonly payment_status: string;
  readonly hosted_checkout_url?: string | undefined;
  readonly expires_at: string;
  /** Amount received so far, in `currency`. */
  readonly received_amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly refunds: readonly RefundOfPayment[];
}

/** Data as stored by Medusa. Comes from the storefront until this provider has set it. */
export type StoredData = Readonly<Record<string, unknown>> | undefined;

type Answer = Pick<Payment, 'id' | 'status' | 'expires_at'> & Partial<Payment>;

/** Sets every field, so that no data from the storefront remains. @param answer response to the creation or to a read */
export function sessionDataOf(
  sessionId: string,
  answer: Answer,
  price: Price,
  refunds: readonly RefundOfPayment[] = [],
): SessionData {
  return {
    session_id: sessionId,
    payment_request_id: answer.id,
    ...price,
    payment_status: answer.status,
    hosted_checkout_url: answer.hosted_checkout_url,
    expires_at: answer.expires_at,
    received_amount: answer.received_amount,
    currency: answer.currency,
    refunds,
  };
}
