import { PaymentCollectionClient } from 'payment-collection-client';
import type { CartItem } from '../../plugin-contract/src/checkout-body.js';
import { createClaimedRefund } from '../../plugin-contract/src/claimed-refund.js';
import { Checkouts } from './checkouts.js';
import { encryptClaimUrl } from './claims.js';
import { USER_AGENT_PRODUCT, type PaymentCollectionOptions } from './options.js';
import { priceOf, type Price } from '../../plugin-contract/src/price.js';
import { hasUnrefundedPayment } from '../../plugin-contract/src/refund-amounts.js';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import {
  sessionDataOf,
  type Payment,
  type RefundOfPayment,
  type SessionData,
  type StoredData,
} from './session-data.js';
import { sessionStatusOf, type SessionStatus } from './session-status.js';
import { webhookAction, type WebhookActionData, type ProviderWebhook } from './webhooks.js';

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

/** Implements Medusa's payment sessions and payments with checkouts of one point of sale. */
export class SessionPayments {
  private readonly checkouts: Checkouts;
  private readonly client: PaymentCollectionClient;
  private readonly paid: 'authorized' | 'captured';

  constructor(private readonly options: PaymentCollectionOptions) {
    this.client = new PaymentCollectionClient({ ...options, product: USER_AGENT_PRODUCT });
    this.checkouts = new Checkouts(this.client, options.pointOfSaleId, options.returnUrl);
    this.paid = options.capture === 'manual' ? 'authorized' : 'captured';
  }

  /** Creates the session's checkout. Medusa sets the session id in the data, so that a storefront cannot change it. */
  async initiate({ data, amount, currency_code }: Priced): Promise<Answer & { id: string }> {
    const sessionId = sessionIdOf(data);
    const opened = await this.open(sessionId, priceOf(amount, currency_code), sessionId, itemsIn(data));
    return { id: opened.payment_request_id, data: opened, status: 'pending' };
  }

  /** Replaces the session's checkout if the price has changed, and ends the previous one. */
  async update({ data, amount, currency_code }: Priced): Promise<{ data: SessionData }> {
    const [sessionId, price] = [sessionIdOf(data), priceOf(amount, currency_code)];
    if (data?.['amount'] === price.amount && data['coin_code'] === price.coin_code)
      return { data: data as SessionData };
    await this.checkouts.expire(data);
    // The key contains the previous checkout. Otherwise, returning to an earlier price would return an expired checkout.
    const before = data?.['payment_request_id'] ?? sessionId;
    const key = `${String(before)}-${price.amount}-${price.coin_code}`;
    return { data: await this.open(sessionId, price, key) };
  }

  /** Reads the payment. The session id comes from the context, because the data may come from the storefront. */
  async authorize({ data, context }: Input): Promise<Answer & { payment: Payment }> {
    const payment = await this.checkouts.read(context?.idempotency_key ?? sessionIdOf(data), data);
    return { data: dataOf(payment), status: sessionStatusOf(payment, this.paid), payment };
  }

  async status({ data }: Input): Promise<Answer> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    return { data: dataOf(payment, this.refundsIn(data)), status: sessionStatusOf(payment, this.paid) };
  }

  /** Records a capture. The funds were already received, so the service is not called to move them. */
  async capture({ data }: Input): Promise<{ data: SessionData }> {
    const payment = await this.paidOf(data);
    return { data: dataOf(payment, this.refundsIn(data)) };
  }

  async refund({ data, context, amount }: Input & { amount: unknown }): Promise<{ data: SessionData }> {
    const payment = await this.paidOf(data);
    const refundId = context?.idempotency_key;
    if (refundId === undefined) throw new Refusal('unexpected_state', 'The refund has no id in Medusa.');
    return { data: await this.refunded(payment, amount, refundId, data) };
  }

  /**
   * Refunds a paid session. Medusa cancels an authorized payment together with its order and ignores the outcome. It refunds captured
   * payments through `refund` instead.
   */
  async cancel({ data }: Input): Promise<{ data: Record<string, unknown> }> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    if (this.paid === 'captured' || !hasUnrefundedPayment(payment))
      return this.close({ ...(data && { data }) });
    return { data: await this.refunded(payment, payment.amount, `cancel-${payment.id}`, data) };
  }

  async close({ data }: Input): Promise<{ data: Record<string, unknown> }> {
    await this.checkouts.expire(data);
    return { data: data ?? {} };
  }

  webhook(received: ProviderWebhook): Promise<WebhookActionData> {
    const { webhookSecret: secret, pointOfSaleId } = this.options;
    const read = (id: string) => this.checkouts.shop.readPayment(id);
    return webhookAction(received, { secret, pointOfSaleId, paid: this.paid, read });
  }

  private async open(
    sessionId: string,
    price: Price,
    key: string,
    items?: readonly CartItem[],
  ): Promise<SessionData> {
    return sessionDataOf(sessionId, await this.checkouts.create(sessionId, price, key, items), price);
  }

  /** Creates a refund. @param part in the shop's currency @param refundId id of the refund in Medusa, used as the idempotency key */
  private async refunded(
    payment: Payment,
    part: unknown,
    refundId: string,
    data: StoredData,
  ): Promise<SessionData> {
    const asked = { id: refundId, part, reason: `Medusa refund ${refundId}` };
    const { claim_url, ...made } = await createClaimedRefund(this.client, payment, asked);
    const { id, amount, currency, claim_expires_at } = made;
    const claim = claim_url && encryptClaimUrl(claim_url, id, this.options.apiSecret);
    const refund = { id, refund_id: refundId, amount, currency, claim, claim_expires_at };
    return dataOf(payment, [...this.refundsIn(data), refund]);
  }

  /** Returns the refunds in the payment's data, with unencrypted URLs encrypted. */
  private refundsIn(data: StoredData): readonly RefundOfPayment[] {
    const refunds = (data?.['refunds'] ?? []) as readonly (RefundOfPayment & { claim_url?: string })[];
    return refunds.map(({ claim_url, ...refund }) =>
      claim_url === undefined
        ? refund
        : { ...refund, claim: encryptClaimUrl(claim_url, refund.id, this.options.apiSecret) },
    );
  }

  private async paidOf(data: StoredData): Promise<Payment> {
    const payment = await this.checkouts.read(sessionIdOf(data), data);
    if (payment.fulfilled) return payment;
    throw new Refusal(
      'not_allowed',
      `Payment request ${payment.id} is not paid. Its status is ${payment.status}.`,
    );
  }
}

/** Reads the cart items from the storefront's data. They are only displayed, so faulty ones are ignored. */
function itemsIn(data: StoredData): CartItem[] {
  const items = data?.['items'];
  if (!Array.isArray(items)) return [];
  return (items as readonly (Record<string, unknown> | null)[]).flatMap((item) => {
    const { title, quantity, total } = item ?? {};
    return typeof title === 'string' ? [{ name: title, quantity: Number(quantity), total }] : [];
  });
}

/** @throws Refusal if the data has no session id */
function sessionIdOf(data: StoredData): string {
  const id = data?.['session_id'];
  if (typeof id === 'string' && id !== '') return id;
  throw new Refusal(
    'unexpected_state',
    'The payment does not belong to this provider, because its data has no session_id.',
  );
}

function dataOf(payment: Payment, refunds: readonly RefundOfPayment[] = []): SessionData {
  const { amount, coin_code = '' } = payment;
  return sessionDataOf(payment.reference_id!, payment, { amount, coin_code }, refunds);
}
