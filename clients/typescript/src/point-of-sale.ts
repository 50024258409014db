import { setTimeout as pause } from 'node:timers/promises';
import type { ApiCalls } from './api-calls.js';
import type { CallOptions, KeyedOptions, Schemas } from './api-types.js';
import type { ListInit } from './pages.js';
import { PaymentCollectionError } from './payment-collection-error.js';
import { isFinalStatus } from './payment-status.js';

export interface WaitOptions extends CallOptions {
  /** Milliseconds to wait in all; a quarter of an hour unless set. */
  timeout?: number;
  /** Milliseconds between two reads; 3,000 unless set, as the API recommends. */
  interval?: number;
  /** The end of waiting; a status that never changes again unless set. */
  until?: (payment: Schemas['PaymentRequestProgress']) => boolean;
}

const QUARTER_OF_AN_HOUR = 900_000;
const BETWEEN_READS = 3_000;
const WAIT_IS_OVER = 'The payment had no final status in time.';

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
  async waitForPayment(id: string, options: WaitOptions = {}): Promise<Schemas['PaymentRequestProgress']> {
    const { interval = BETWEEN_READS, until = ({ status }) => isFinalStatus(status) } = options;
    const { timeout = QUARTER_OF_AN_HOUR } = options;
    const over = AbortSignal.timeout(timeout);
    const signal = AbortSignal.any([over, ...(options.signal === undefined ? [] : [options.signal])]);
    let last: unknown;
    try {
      for (;;) {
        const payment = await this.readPayment(id, { signal }).catch((error: unknown) => {
          if (!isPassing(error)) throw error;
          last ??= error;
        });
        if (payment !== undefined && until(payment)) return payment;
        last = payment ?? last;
        await pause(interval, undefined, { signal });
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!over.aborted) throw error;
      throw new PaymentCollectionError(WAIT_IS_OVER, {
        code: 'wait_timed_out',
        nextStep: 'Wait for the webhook, or read the payment later.',
        cause: last,
      });
    }
  }
}

/** Another read may answer without this error. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof PaymentCollectionError)) return false;
  const { status, code } = error;
  return code === 'unreachable' || status === 408 || status === 429 || (status ?? 0) >= 500;
}
