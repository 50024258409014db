import type { PaymentCollectionClient } from 'payment-collection-client';
import { createClaimedRefund } from '../../plugin-contract/src/claimed-refund.js';
import { encryptClaimUrl } from './claims.js';
import type { Payment, RefundOfPayment } from './session-data.js';

/** Refunds of paid sessions. */
export class Refunds {
  /** @param apiSecret encrypts the URLs of claim pages */
  constructor(
    private readonly client: PaymentCollectionClient,
    private readonly apiSecret: string,
  ) {}

  /**
   * Creates a refund. @param part amount to refund, as passed by Medusa
   * @param refundId id of the refund in Medusa, used as the idempotency key
   */
  async createClaim(payment: Payment, part: unknown, refundId: string): Promise<RefundOfPayment> {
    const asked = { id: refundId, part, reason: `Medusa refund ${refundId}` };
    const { id, amount, currency, claim_url, claim_expires_at } = await createClaimedRefund(
      this.client,
      payment,
      asked,
    );
    const claim = claim_url && encryptClaimUrl(claim_url, id, this.apiSecret);
    return { id, refund_id: refundId, amount, currency, claim, claim_expires_at };
  }
}
