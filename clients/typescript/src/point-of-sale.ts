import type { ApiCalls } from './api-calls.js';
import type { CallOptions, KeyedOptions, Schemas } from './api-types.js';
import type { ListInit } from './pages.js';
import { isFinalStatus } from './payment-status.js';
import { pollUntil, type PollOptions } from './waiting.js';

export interface WaitOptions extends PollOptions {
  /** Condition that ends the wait. Default: the payment has a final status. */
  until?: (payment: Schemas['PaymentRequestProgress']) => boolean;
}

const THIRTY_SECONDS = 30_000;

/** Payment requests, checkouts and subscriptions of one point of sale. */
export class PointOfSale {
  constructor(
    private readonly client: ApiCalls,
    readonly id: string,
  ) {}

  /** Creates a payment request in one asset. Display its `token` as a QR code. @throws PaymentCollectionError */
  createPaymentRequest(
    body: Schemas['CreatePaymentRequestBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['PaymentRequest']> {
    const params = { path: { posID: this.id } };
    return this.client.post('/v1/pos/{posID}/payment-request', { params, body, ...options });
  }

  /** Creates a checkout. Redirect the browser to its `hosted_checkout_url`. @throws PaymentCollectionError */
  createCheckout(
    body: Schemas['CreateCheckoutBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['Checkout']> {
    const params = { path: { posID: this.id } };
    return this.client.post('/v1/pos/{posID}/payment-request-checkout', { params, body, ...options });
  }

  /**
   * Ends the payment window of an unpaid payment request or checkout. The call is idempotent.
   * @throws PaymentCollectionError `state_conflict` if a payment was seen or the payment request has another final status
   */
  expirePaymentRequest(id: string, options: CallOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const params = { path: { posID: this.id, paymentRequestID: id } };
    return this.client.post('/v1/pos/{posID}/payment-request/{paymentRequestID}/expire', {
      params,
      ...options,
    });
  }

  /** @param id of a payment request or checkout @throws PaymentCollectionError */
  readPayment(id: string, options: CallOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const params = { path: { posID: this.id, paymentRequestID: id } };
    return this.client.get('/v1/pos/{posID}/payment-request/{paymentRequestID}', { params, ...options });
  }

  /** Lists payment requests, newest first. @throws PaymentCollectionError */
  payments(
    filter: ListInit<'/v1/pos/{posID}/payment-request'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['ListedPaymentRequest'], void, undefined> {
    const path = { posID: this.id };
    return this.client.list('/v1/pos/{posID}/payment-request', { path, query: filter, ...options });
  }

  /**
   * Polls a payment until its status is final. Continues through outages of the service.
   * @throws PaymentCollectionError `wait_timed_out`, with the last payment as `cause`, or a permanent error; the signal's reason if the
   * signal aborts
   */
  waitForPayment(id: string, options: WaitOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const { until = ({ status }) => isFinalStatus(status), ...polling } = options;
    return pollUntil((call) => this.readPayment(id, call), until, polling);
  }

  /**
   * Polls a checkout until it has an x402 URL, at which programs can pay. The response to the create call may lack the URL, because the
   * service first queries the network. Default time limit: 30 seconds.
   * @throws PaymentCollectionError `wait_timed_out`, also if no payment option of the checkout supports x402
   */
  async x402Url(id: string, options: PollOptions = {}): Promise<string> {
    const read = (call: CallOptions) => this.readPayment(id, call);
    const polling = { timeout: THIRTY_SECONDS, ...options };
    return (await pollUntil(read, (checkout) => checkout.x402_url !== undefined, polling)).x402_url!;
  }

  /** Creates a subscription. Redirect the payer to its `url` to accept it. @throws PaymentCollectionError */
  createSubscription(
    body: Schemas['CreateSubscriptionBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['Subscription']> {
    const params = { path: { posID: this.id } };
    return this.client.post('/v1/pos/{posID}/subscription', { params, body, ...options });
  }

  /** @throws PaymentCollectionError */
  readSubscription(id: string, options: CallOptions = {}): Promise<Schemas['Subscription']> {
    const params = { path: { posID: this.id, subscriptionID: id } };
    return this.client.get('/v1/pos/{posID}/subscription/{subscriptionID}', { params, ...options });
  }

  /** Lists subscriptions, newest first. @throws PaymentCollectionError */
  subscriptions(
    filter: ListInit<'/v1/pos/{posID}/subscription'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['Subscription'], void, undefined> {
    const path = { posID: this.id };
    return this.client.list('/v1/pos/{posID}/subscription', { path, query: filter, ...options });
  }

  /** Stops all future charges. The call is not retried. @throws PaymentCollectionError */
  revokeSubscription(id: string, options: CallOptions = {}): Promise<Schemas['Subscription']> {
    const params = { path: { posID: this.id, subscriptionID: id } };
    return this.client.post('/v1/pos/{posID}/subscription/{subscriptionID}/revoke', { params, ...options });
  }
}
