import { PaymentCollectionError, type PaymentCollectionClient } from 'payment-collection-client';
import { checkoutBody, type CartItem } from '../../plugin-contract/src/checkout-body.js';
import { stateOfPayment } from '../../plugin-contract/src/order-states.js';
import type { Price } from '../../plugin-contract/src/price.js';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import type { Payment, StoredData } from './session-data.js';

/** Payment requests of Medusa's payment sessions. The `reference_id` is the id of the session. */
export class Checkouts {
  readonly shop;

  constructor(
    client: PaymentCollectionClient,
    pointOfSaleId: string,
    private readonly returnUrl: string | undefined,
  ) {
    this.shop = client.pointOfSale(pointOfSaleId);
  }

  /** Creates a checkout. @param key idempotency key */
  create(sessionId: string, price: Price, key: string, items: readonly CartItem[] = []) {
    const body = checkoutBody(sessionId, price, { items, returnUrl: this.returnUrl });
    return this.shop.createCheckout(body, { idempotencyKey: key });
  }

  /**
   * Reads the session's payment request. If Medusa lost the response to its creation, the payment request is found by the session's id.
   * @throws Refusal if there is no payment request, or if it belongs to another session
   */
  async read(sessionId: string, data: StoredData): Promise<Payment> {
    const named = data?.['payment_request_id'];
    const payment =
      typeof named === 'string' ? await this.shop.readPayment(named) : await this.newestOf(sessionId);
    if (payment === undefined) {
      throw new Refusal('not_allowed', `Session ${sessionId} has no payment request. Create a new session.`);
    }
    if (payment.reference_id !== sessionId) {
      throw new Refusal(
        'not_allowed',
        `Payment request ${payment.id} does not belong to session ${sessionId}.`,
      );
    }
    return payment;
  }

  /** Ends the payment window of the session's payment request. @throws Refusal if a payment was seen that Medusa would lose track of */
  async expire(data: StoredData): Promise<void> {
    const [sessionId, named] = [data?.['session_id'], data?.['payment_request_id']];
    // The creation of the payment request got no response, so that it cannot be paid.
    if (typeof sessionId !== 'string' || typeof named !== 'string') return;
    try {
      if (isOver(await this.read(sessionId, data))) return;
      await this.shop.expirePaymentRequest(named);
    } catch (error) {
      // The payment request belongs to the point of sale of earlier options.
      if (hasCode(error, 'not_found')) return;
      if (!hasCode(error, 'state_conflict')) throw error;
      // A payment was seen after the read.
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

/** @returns whether the payment request has ended unpaid or was refunded @throws Refusal if it is paid or has a pending payment */
function isOver(payment: Payment): boolean {
  const { id } = payment;
  const state = stateOfPayment(payment);
  if (state === 'paid') {
    throw new Refusal(
      'not_allowed',
      `Payment request ${id} is paid and cannot be cancelled. Complete the cart, or capture and refund the payment.`,
    );
  }
  if (state === 'confirming') {
    throw new Refusal(
      'not_allowed',
      `A transfer to payment request ${id} was seen and is not final yet. Wait until it is final.`,
    );
  }
  return state !== 'waiting';
}
