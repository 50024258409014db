import type { ApiCalls } from './api-calls.js';
import type { CallOptions, KeyedOptions, Schemas } from './api-types.js';
import type { ListInit } from './pages.js';

/** Pays payers back, as docs/reference/refunds.md says. */
export class Refunds {
  constructor(private readonly client: ApiCalls) {}

  /**
   * Pays back what a payment request received: to `refund_to_address`, or to the address that the payer names at `claim_url`, which
   * this answer alone has. @throws PaymentCollectionError
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

  /** Newest first. */
  list(
    filter: ListInit<'/v1/refunds'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['Refund'], void, undefined> {
    return this.client.list('/v1/refunds', { query: filter, ...options });
  }

  /** Approves a refund whose payer has named an address. It is sent once. @throws PaymentCollectionError */
  approve(refundID: string, options: CallOptions = {}): Promise<Schemas['Refund']> {
    return this.client.post('/v1/refunds/{refundID}/approve', { params: { path: { refundID } }, ...options });
  }

  /** Ends a refund that no transaction pays yet. It is sent once. @throws PaymentCollectionError */
  cancel(refundID: string, options: CallOptions = {}): Promise<Schemas['Refund']> {
    return this.client.post('/v1/refunds/{refundID}/cancel', { params: { path: { refundID } }, ...options });
  }
}
