import type { PaymentLinkId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { PaymentLinkSession } from './payment-link-session.js';

/** Which checkout each payer has for a payment link. A payer is known by the secret of a cookie, which is not stored. */
export abstract class PaymentLinkSessions {
  abstract find(link: PaymentLinkId, payerSecret: string): Promise<PaymentLinkSession | undefined>;

  /**
   * Makes a request that was stored in the same unit of work the payer's, by compare-and-set: of two at once the
   * second waits for the first to commit and then returns false.
   * @param instead the payer's request as it was read before; null where there was none
   * @returns false, with nothing stored, where the payer has another one meanwhile
   * @throws outside a unit of work
   */
  abstract put(
    link: PaymentLinkId,
    payerSecret: string,
    request: PaymentRequestId,
    instead: PaymentRequestId | null,
  ): Promise<boolean>;
}
