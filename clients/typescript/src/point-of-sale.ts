import type { ApiCalls } from './api-calls.js';
import type { CallOptions, KeyedOptions, Schemas } from './api-types.js';
import type { ListInit } from './pages.js';
import { isFinalStatus } from './payment-status.js';
import { waitUntil, type Patience } from './waiting.js';

export interface WaitOptions extends Patience {
  /** The end of waiting; a status that never changes again unless set. */
  until?: (payment: Schemas['PaymentRequestProgress']) => boolean;
}

const HALF_A_MINUTE = 30_000;

/** The calls that a shop makes, by the id of its point of sale, where payment requests are created. */
export class PointOfSale {
  constructor(
    private readonly client: ApiCalls,
    readonly id: string,
  ) {}

  /** Opens a payment request of a known asset. Show its `token` as a QR code. @throws PaymentCollectionError */
  createPaymentRequest(
    body: Schemas['CreatePaymentRequestBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['PaymentRequest']> {
    const params = { path: { posID: this.id } };
    return this.client.post('/v1/pos/{posID}/payment-request', { params, body, ...options });
  }

  /** Opens a checkout. Lead the browser to its `hosted_checkout_url`. @throws PaymentCollectionError */
  createCheckout(
    body: Schemas['CreateCheckoutBody'],
    options: KeyedOptions = {},
  ): Promise<Schemas['Checkout']> {
    const params = { path: { posID: this.id } };
    return this.client.post('/v1/pos/{posID}/payment-request-checkout', { params, body, ...options });
  }

  /**
   * Ends the window of an unpaid payment request or checkout now. It can be repeated; `state_conflict` where something was seen or it has
   * ended. @throws PaymentCollectionError
   */
  expirePaymentRequest(id: string, options: CallOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const params = { path: { posID: this.id, paymentRequestID: id } };
    return this.client.post('/v1/pos/{posID}/payment-request/{paymentRequestID}/expire', {
      params,
      ...options,
    });
  }

  /** @param id of a payment request, or of a checkout @throws PaymentCollectionError */
  readPayment(id: string, options: CallOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const params = { path: { posID: this.id, paymentRequestID: id } };
    return this.client.get('/v1/pos/{posID}/payment-request/{paymentRequestID}', { params, ...options });
  }

  /** Newest first. */
  payments(
    filter: ListInit<'/v1/pos/{posID}/payment-request'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['ListedPaymentRequest'], void, undefined> {
    const path = { posID: this.id };
    return this.client.list('/v1/pos/{posID}/payment-request', { path, query: filter, ...options });
  }

  /**
   * Reads a payment again and again until its status is final. The service may be away meanwhile.
   * @throws PaymentCollectionError `wait_timed_out` with the last read payment as its cause, or another that will not pass;
   * the signal's reason
   */
  waitForPayment(id: string, options: WaitOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const { until = ({ status }) => isFinalStatus(status), ...patience } = options;
    return waitUntil((call) => this.readPayment(id, call), until, patience);
  }

  /**
   * Reads a checkout until it has the URL that programs pay at by x402, for half a minute unless set. The answer to its creation lacks
   * it while no node of the network has answered. @throws PaymentCollectionError `wait_timed_out`, also where no option is paid so
   */
  async x402Url(id: string, options: Patience = {}): Promise<string> {
    const read = (call: CallOptions) => this.readPayment(id, call);
    const patience = { timeout: HALF_A_MINUTE, ...options };
    return (await waitUntil(read, (checkout) => checkout.x402_url !== undefined, patience)).x402_url!;
  }

  /** Offers a subscription. Lead the payer to its `url`, or have a wallet accept it. @throws PaymentCollectionError */
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

  /** Newest first. */
  subscriptions(
    filter: ListInit<'/v1/pos/{posID}/subscription'>['query'] = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['Subscription'], void, undefined> {
    const path = { posID: this.id };
    return this.client.list('/v1/pos/{posID}/subscription', { path, query: filter, ...options });
  }

  /** Stops all future charges. It is sent once. @throws PaymentCollectionError */
  revokeSubscription(id: string, options: CallOptions = {}): Promise<Schemas['Subscription']> {
    const params = { path: { posID: this.id, subscriptionID: id } };
    return this.client.post('/v1/pos/{posID}/subscription/{subscriptionID}/revoke', { params, ...options });
  }
}
