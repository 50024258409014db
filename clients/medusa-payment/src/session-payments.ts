import { PaymentCollectionClient } from 'payment-collection-client';
import { Checkouts } from './checkouts.js';
import { sealClaim } from './claims.js';
import { PRODUCT, type PaymentCollectionOptions } from './options.js';
import { priceOf, type Price } from './price.js';
import { isHeld } from './refund-amounts.js';
import { Refunds } from './refunds.js';
import { Refusal } from './refusal.js';
import {
  sessionDataOf,
  type Payment,
  type RefundOfPayment,
  type SessionData,
  type StoredData,
} from './session-data.js';
import { sessionStatusOf, type SessionStatus } from './session-status.js';
import { webhookAction, type Action, type Received } from './webhooks.js';

interface Input {
  readonly data?: Record<string, unknown>;
  readonly context?: { readonly idempotency_key?: string };
}
interface Priced extends Input {
  readonly amount: unknown;
  readonly currency_code: string;
}
interface Answer {
  readonly data: SessionData;
  readonly status: SessionStatus;
}

/** Payment sessions and payments of Medusa, by checkouts of one point of sale. */
export class SessionPayments {
  private readonly checkouts: Checkouts;
  private readonly refunds: Refunds;
  private readonly paid: 'authorized' | 'captured';

  constructor(private readonly options: PaymentCollectionOptions) {
    const client = new PaymentCollectionClient({ ...options, product: PRODUCT });
    this.checkouts = new Checkouts(client, options.pointOfSaleId, options.returnUrl);
    this.refunds = new Refunds(client, options.apiSecret);
    this.paid = options.capture === 'manual' ? 'authorized' : 'captured';
  }

  /** Medusa puts the id of the session last into the data, so that no storefront can name another. */
  async initiate({ data, amount, currency_code }: Priced): Promise<Answer & { id: string }> {
    const sessionId = sessionIdOf(data);
    const opened = await this.open(sessionId, priceOf(amount, currency_code), sessionId);
    return { id: opened.payment_request_id, data: opened, status: 'pending' };
  }

  /** A session whose price has changed gets another checkout, and the one before ends. */
  async update({ data, amount, currency_code }: Priced): Promise<{ data: SessionData }> {
    const [sessionId, price] = [sessionIdOf(data), priceOf(amount, currency_code)];
    if (data?.['amount'] === price.amount && data['coin_code'] === price.coin_code)
      return { data: data as SessionData };
    await this.checkouts.close(data);
    // With the checkout before in it: a price that comes back would find a checkout that has ended.
    const before = data?.['payment_request_id'] ?? sessionId;
    const key = `${String(before)}-${price.amount}-${price.coin_code}`;
    return { data: await this.open(sessionId, price, key) };
  }

  /** @param input whose context names the session: its data may be the storefront's, where no answer was stored */
  async authorize({ data, context }: Input): Promise<Answer> {
    const payment = await this.checkouts.read(context?.idempotency_key ?? sessionIdOf(data), data);
    return { data: dataOf(payment), status: sessionStatusOf(payment, this.paid) };
  }

  async status({ data }: Input): Promise<Answer> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    return { data: dataOf(payment, this.refundsIn(data)), status: sessionStatusOf(payment, this.paid) };
  }

  /** The money is there already: captures are the shop's books. */
  async capture({ data }: Input): Promise<{ data: SessionData }> {
    const payment = await this.paidOf(data);
    return { data: dataOf(payment, this.refundsIn(data)) };
  }

  async refund({ data, context, amount }: Input & { amount: unknown }): Promise<{ data: SessionData }> {
    const payment = await this.paidOf(data);
    const refundId = context?.idempotency_key;
    if (refundId === undefined) throw new Refusal('unexpected_state', 'Medusa names no refund.');
    const made = await this.refunds.make(payment, amount, payment.amount, refundId);
    return { data: dataOf(payment, [...this.refundsIn(data), made]) };
  }

  /**
   * Medusa cancels an authorized payment with its order, and goes on whatever comes of it. So what was paid is refunded here; a
   * captured payment is refunded by Medusa itself.
   */
  async cancel({ data }: Input): Promise<{ data: Record<string, unknown> }> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    if (this.paid === 'captured' || !isHeld(payment)) return this.close({ ...(data && { data }) });
    const made = await this.refunds.make(payment, payment.amount, payment.amount, `cancel-${payment.id}`);
    return { data: dataOf(payment, [...this.refundsIn(data), made]) };
  }

  async close({ data }: Input): Promise<{ data: Record<string, unknown> }> {
    await this.checkouts.close(data);
    return { data: data ?? {} };
  }

  webhook(received: Received): Promise<Action> {
    const { webhookSecret: secret, pointOfSaleId } = this.options;
    const read = (id: string) => this.checkouts.readNamed(id);
    return webhookAction(received, { secret, pointOfSaleId, paid: this.paid, read });
  }

  private async open(sessionId: string, price: Price, key: string): Promise<SessionData> {
    return sessionDataOf(sessionId, await this.checkouts.open(sessionId, price, key), price);
  }

  /** Reads the refunds of a payment until now out of its data, and seals a URL that stands open there. */
  private refundsIn(data: StoredData): readonly RefundOfPayment[] {
    const refunds = (data?.['refunds'] ?? []) as readonly (RefundOfPayment & { claim_url?: string })[];
    return refunds.map(({ claim_url, ...refund }) =>
      claim_url === undefined
        ? refund
        : { ...refund, claim: sealClaim(claim_url, refund.id, this.options.apiSecret) },
    );
  }

  private async paidOf(data: StoredData): Promise<Payment> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    if (payment.fulfilled) return payment;
    throw new Refusal('not_allowed', `Payment request ${payment.id} is not paid: it is ${payment.status}.`);
  }
}

/** @throws Refusal where Medusa has stored none */
function sessionIdOf(data: StoredData): string {
  const id = data?.['session_id'];
  if (typeof id === 'string' && id !== '') return id;
  throw new Refusal(
    'unexpected_state',
    'The payment has no session_id in its data: it is not of this provider.',
  );
}

function dataOf(payment: Payment, refunds: readonly RefundOfPayment[] = []): SessionData {
  const { amount, coin_code = '' } = payment;
  return sessionDataOf(payment.reference_id!, payment, { amount, coin_code }, refunds);
}
