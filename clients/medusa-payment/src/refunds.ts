import type { PaymentCollectionClient, Schemas } from 'payment-collection-client';
import { sealClaim } from './claims.js';
import { exactly, roundedPrice } from './price.js';
import { refundAmount } from './refund-amounts.js';
import { Refusal } from './refusal.js';
import type { Payment, RefundOfPayment } from './session-data.js';

type Refund = Schemas['Refund'];

/** Refunds of paid sessions. The payer names the address at the claim's page: the sender's may be an exchange's. */
export class Refunds {
  private readonly decimals = new Map<string, number>();

  /** @param apiSecret seals the URLs of claims */
  constructor(
    private readonly client: PaymentCollectionClient,
    private readonly apiSecret: string,
  ) {}

  /**
   * @param part of the price, as Medusa has it @param price of the session
   * @param refundId Medusa's refund, under which a repetition makes no second one
   */
  async make(payment: Payment, part: unknown, price: string, refundId: string): Promise<RefundOfPayment> {
    const asked = isWhole(part, price, payment) ? price : part;
    const amount = refundAmount(payment, exactly(asked), price, await this.decimalsOf(payment));
    const refund = await this.claimed(payment.id, amount, refundId);
    const { id, currency, claim_url, claim_expires_at } = refund;
    const claim = claim_url && sealClaim(claim_url, id, this.apiSecret);
    return { id, refund_id: refundId, amount: refund.amount, currency, claim, claim_expires_at };
  }

  /** The claim's URL is answered once. Where that answer was lost, another refund takes the place of the first. */
  private async claimed(paymentRequestID: string, amount: string, refundId: string): Promise<Refund> {
    const first = await this.create(paymentRequestID, amount, refundId, refundId);
    if (first.claim_url !== undefined || first.status !== 'pending' || first.refund_to_address !== undefined)
      return first;
    await this.client.post('/v1/refunds/{refundID}/cancel', { params: { path: { refundID: first.id } } });
    return this.create(paymentRequestID, amount, refundId, `${refundId}-2`);
  }

  private create(paymentRequestID: string, amount: string, refundId: string, idempotencyKey: string) {
    return this.client.post('/v1/refunds/payment-request/{paymentRequestID}', {
      params: { path: { paymentRequestID } },
      body: { claim: {}, amount, reason: `Medusa refund ${refundId}` },
      idempotencyKey,
    });
  }

  private async decimalsOf({ id, selected }: Payment): Promise<number> {
    const asset = selected?.unique_asset_id;
    if (asset !== undefined && !this.decimals.has(asset)) {
      for await (const { unique_asset_id, decimals } of this.client.list('/v1/assets'))
        this.decimals.set(unique_asset_id, decimals);
    }
    const decimals = asset === undefined ? undefined : this.decimals.get(asset);
    if (decimals !== undefined) return decimals;
    throw new Refusal(
      'not_allowed',
      `The service does not list the asset that payment request ${id} received.`,
    );
  }
}

/** Medusa's amounts may have finer digits than the price, which was rounded out of them. */
function isWhole(part: unknown, price: string, { coin_code = '' }: Payment): boolean {
  return roundedPrice(part, coin_code) === price;
}
