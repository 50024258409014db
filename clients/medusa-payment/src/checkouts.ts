import {
  PaymentCollectionError,
  type PaymentCollectionClient,
  type Schemas,
} from 'payment-collection-client';
import type { Price } from './price.js';
import { isHeld } from './refund-amounts.js';
import { Refusal } from './refusal.js';
import type { Payment, StoredData } from './session-data.js';

/** The payment requests of Medusa's payment sessions: each has the session's id as its `reference_id`. */
export class Checkouts {
  private readonly shop;

  constructor(
    private readonly client: PaymentCollectionClient,
    private readonly posID: string,
    private readonly returnUrl: string | undefined,
  ) {
    this.shop = client.pointOfSale(posID);
  }

  /** Opens a checkout. @param key a repetition under it opens nothing more */
  open(sessionId: string, price: Price, key: string): Promise<Schemas['Checkout']> {
    const { returnUrl } = this;
    const body = { ...price, reference_id: sessionId, ...(returnUrl && { return_url: returnUrl }) };
    return this.shop.createCheckout(body, { idempotencyKey: key });
  }

  /**
   * Reads the session's payment request. Where Medusa lost the answer of the creation, it is found by the session's id.
   * @throws Refusal where there is none, or the one that is named is another session's
   */
  async read(sessionId: string, data: StoredData): Promise<Payment> {
    const named = data?.['payment_request_id'];
    const payment =
      typeof named === 'string' ? await this.shop.readPayment(named) : await this.newestOf(sessionId);
    if (payment === undefined) {
      throw new Refusal('not_allowed', `Session ${sessionId} has no payment request. Create a new session.`);
    }
    if (payment.reference_id !== sessionId) {
      throw new Refusal('not_allowed', `Payment request ${payment.id} is not of session ${sessionId}.`);
    }
    return payment;
  }

  /** Reads the payment request that a webhook names. */
  readNamed(paymentRequestId: string): Promise<Payment> {
    return this.shop.readPayment(paymentRequestId);
  }

  /** Ends the window of the session's payment request. @throws Refusal where money is there that Medusa would lose sight of */
  async close(data: StoredData): Promise<void> {
    const [sessionId, named] = [data?.['session_id'], data?.['payment_request_id']];
    // The creation of the session was not answered: nobody knows where to pay.
    if (typeof sessionId !== 'string' || typeof named !== 'string') return;
    try {
      if (isOver(await this.read(sessionId, data))) return;
      const path = { posID: this.posID, paymentRequestID: named };
      await this.client.post('/v1/pos/{posID}/payment-request/{paymentRequestID}/expire', {
        params: { path },
      });
    } catch (error) {
      // It is of another point of sale, which the options named before.
      if (hasCode(error, 'not_found')) return;
      if (!hasCode(error, 'state_conflict')) throw error;
      // Something has come between the read and the end.
      if (!isOver(await this.read(sessionId, data))) throw error;
    }
  }

  private async newestOf(sessionId: string): Promise<Payment | undefined> {
    for await (const { id } of this.shop.payments({ reference_id: sessionId }))
      return this.shop.readPayment(id);
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof PaymentCollectionError && error.code === code;
}

/** @returns whether nothing can come of the request any more @throws Refusal where it was paid, or may be about to be */
function isOver(payment: Payment): boolean {
  const { id, status } = payment;
  if (isHeld(payment)) {
    throw new Refusal(
      'not_allowed',
      `Payment request ${id} is paid. A transfer cannot be cancelled: complete the cart, or capture and refund the payment.`,
    );
  }
  if (status === 'processing') {
    throw new Refusal(
      'not_allowed',
      `A transfer to payment request ${id} was seen and is not final yet. Wait for its end.`,
    );
  }
  return status !== 'pending' && status !== 'created';
}
