import type { Schemas } from 'payment-collection-client';
import type { Price } from './price.js';

export type Payment = Schemas['PaymentRequestProgress'];

/** A refund that the service has made for a payment of Medusa. */
export interface RefundOfPayment {
  readonly id: string;
  /** Medusa's refund. */
  readonly refund_id: string;
  /** In `currency`, the asset that was received. */
  readonly amount: string;
  readonly currency: string;
  /** The sealed URL of the page where the payer names an address: `claimUrlOf` reads it. Absent where its only answer was lost. */
  readonly claim?: string | undefined;
  readonly claim_expires_at?: string | undefined;
}

/** The `data` of a payment session and of a payment. The storefront may read it, and cannot write it. */
export interface SessionData extends Record<string, unknown> {
  /** Medusa's payment session, which is the `reference_id` of its payment request. */
  readonly session_id: string;
  readonly payment_request_id: string;
  /** The price. */
  readonly amount: string;
  readonly coin_code: string;
  /** The service's status when it was last read. */
  readonly payment_status: string;
  readonly hosted_checkout_url?: string | undefined;
  readonly expires_at: string;
  /** Seen so far, in `currency`. */
  readonly received_amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly refunds: readonly RefundOfPayment[];
}

/** The data as Medusa has stored it: a storefront's, until this provider has answered. */
export type StoredData = Readonly<Record<string, unknown>> | undefined;

type Answer = Pick<Payment, 'id' | 'status' | 'expires_at'> & Partial<Payment>;

/** Every field is written anew, so that nothing stands that a storefront has sent. @param answer to the creation, or to a read */
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
