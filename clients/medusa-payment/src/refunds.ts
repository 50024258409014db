import type { PaymentCollectionClient, Schemas } from 'payment-collection-client';
import { encryptClaimUrl } from './claims.js';
import { toDecimal, roundedPrice } from '../../plugin-contract/src/price.js';
import { refundAmount } from '../../plugin-contract/src/refund-amounts.js';
import { Refusal } from '../../plugin-contract/src/refusal.js';
import type { Payment, RefundOfPayment } from './session-data.js';

type Refund = Schemas['Refund'];

/** Refunds of paid sessions. The payer enters an address on the claim page, because the sender's address may belong to an exchange. */
export class Refunds {
  private readonly decimals = new Map<string, number>();

  /** @param apiSecret encrypts the URLs of claim pages */
  constructor(
    private readonly client: PaymentCollectionClient,
    private readonly apiSecret: string,
  ) {}

  /**
   * Creates a refund. @param part amount to refund, as passed by Medusa @param price price of the session
   * @param refundId id of the refund in Medusa, used as the idempotency key
   */
  async createClaim(
    payment: Payment,
    part: unknown,
    price: string,
    refundId: string,
  ): Promise<RefundOfPayment> {
    const asked = isWhole(part, price, payment) ? price : part;
    const amount = refundAmount(payment, toDecimal(asked), price, await this.decimalsOf(payment));
    const refund = await this.claimed(payment.id, amount, refundId);
    const { id, currency, claim_url, claim_expires_at } = refund;
    const claim = claim_url && encryptClaimUrl(claim_url, id, this.apiSecret);
    return { id, refund_id: refundId, amount: refund.amount, currency, claim, claim_expires_at };
  }

  /** Creates a claim. The URL is returned only once, so if that response was lost, another refund replaces the first. */
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
      `The service does not list the asset received for payment request ${id}.`,
    );
  }
}

/** @returns whether the refund is full; Medusa's amount may have more decimals than the rounded price */
function isWhole(part: unknown, price: string, { coin_code = '' }: Payment): boolean {
  return roundedPrice(part, coin_code) === price;
}
