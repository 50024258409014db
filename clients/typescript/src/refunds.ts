import type { ApiCalls } from './api-calls.js';
import type { CallOptions, KeyedOptions, Schemas } from './api-types.js';
import type { ListInit } from './pages.js';

/** Refunds (docs/reference/refunds.md). */
export class Refunds {
  constructor(private readonly client: ApiCalls) {}

  /**
   * Creates a refund of a payment request, to `refund_to_address` or to the address that the payer enters at `claim_url`. Only this
   * response contains `claim_url`. @throws PaymentCollectionError
   */
  create(
    paymentRequestID: string,
    body: Schemas['CreateRefundBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['Refund']> {
    const params = { path: { paymentRequestID } };
    return this.client.post('/v1/refunds/payment-request/{paymentRequestID}', { params, body, ...options });
  }

  /** @throws PaymentCollectionError */
  read(refundID: string, options: CallOptions = {}): Promise<Schemas['Refund']> {
    return this.client.get('/v1/refunds/{refundID}', { params: { path: { refundID } }, ...options });
  }

  /** Lists refunds, newest first. @throws PaymentCollectionError */
  list(
    filter: ListInit<'/v1/refunds'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['Refund'], void, undefined> {
    return this.client.list('/v1/refunds', { query: filter, ...options });
  }

  /** Approves a refund after the payer has entered an address. The call is not retried. @throws PaymentCollectionError */
  approve(refundID: string, options: CallOptions = {}): Promise<Schemas['Refund']> {
    return this.client.post('/v1/refunds/{refundID}/approve', { params: { path: { refundID } }, ...options });
  }

  /** Cancels a refund that has no transaction yet. The call is not retried. @throws PaymentCollectionError */
  cancel(refundID: string, options: CallOptions = {}): Promise<Schemas['Refund']> {
    return this.client.post('/v1/refunds/{refundID}/cancel', { params: { path: { refundID } }, ...options });
  }
}
