import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { TransferAuthorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import { NotSponsoredError } from '../../domain/authorizations/sponsoring-rule.js';
import {
  compareWithX402Terms,
  checkFullAmount,
  type X402Payment,
  type X402PaymentRequired,
  type X402Receipt,
  type X402Terms,
} from '../../domain/authorizations/x402-payment.js';
import { type CheckoutView, requirePayable } from '../requests/payment-request-view.js';
import { OfferByX402, type X402OfferInput, type X402Offer } from './offer-by-x402.js';
import { toAuthorizationView, SubmitAuthorization, type AuthorizationView } from './submit-authorization.js';

export interface X402PaymentRequiredResult {
  readonly required: X402PaymentRequired;
  readonly errors: readonly FieldError[];
}

export interface X402PaymentAcceptedResult {
  readonly session: CheckoutView;
  /** Valid only if `isSeen` is true. */
  readonly receipt: X402Receipt;
  readonly isSeen: boolean;
}

const REFUSAL_ERROR_CODES = ['validation_failed', 'authorization_refused'];

@Injectable()
export class PayByX402 {
  constructor(
    private readonly offerByX402: OfferByX402,
    private readonly submitAuthorization: SubmitAuthorization,
    private readonly authorizations: TransferAuthorizations,
    private readonly clock: Clock,
  ) {}

  /**
   * Idempotent and safe for concurrent calls: the same payment is sent once.
   * @throws not_found; state_conflict if nothing is left to pay; not_sponsored; unavailable; the errors of
   * `SelectAsset`
   */
  async pay(
    choice: X402OfferInput,
    payment: X402Payment | undefined,
  ): Promise<X402PaymentRequiredResult | X402PaymentAcceptedResult> {
    const now = await this.clock.now();
    if (payment === undefined) return this.requestPayment(choice, now);
    const session = await this.offerByX402.getSession(choice.sessionId);
    return (
      (await this.findAcceptedPayment(choice, session, payment, now)) ??
      this.acceptPayment(choice, payment, now)
    );
  }

  private async requestPayment(choice: X402OfferInput, now: Date): Promise<X402PaymentRequiredResult> {
    const offer = await this.offerByX402.offer(choice, now);
    requirePayable(offer.session, now);
    if (!this.offerByX402.isSponsored(offer.asset)) throw new NotSponsoredError('network');
    return { required: offer.required, errors: [] };
  }

  /** Compares the payment with its original terms, even if another asset is selected now. Calls no node. */
  private async findAcceptedPayment(
    choice: X402OfferInput,
    session: CheckoutView,
    payment: X402Payment,
    now: Date,
  ): Promise<X402PaymentRequiredResult | X402PaymentAcceptedResult | null> {
    const { authorization } = payment;
    const known = await this.authorizations.find({ authorization }, session.id);
    const terms = known && this.offerByX402.rebuildAcceptedTerms(session, known);
    if (known === null || terms == null || compareWithX402Terms(terms, payment).length > 0) return null;
    try {
      return toAcceptedPayment(
        session,
        terms,
        known.authorization,
        toAuthorizationView(known, session, authorization),
      );
    } catch (error) {
      if (!isPaymentRefusal(error)) throw error;
      requirePayable(session, now);
      return toRejectedPayment(await this.offerByX402.offer(choice, now), error.errors, now);
    }
  }

  private async acceptPayment(
    choice: X402OfferInput,
    payment: X402Payment,
    now: Date,
  ): Promise<X402PaymentRequiredResult | X402PaymentAcceptedResult> {
    const offer = await this.offerByX402.offer(choice, now);
    const { session, required } = offer;
    const errors = [...compareWithX402Terms(required, payment), ...checkFullAmount(required, payment)];
    if (errors.length > 0) return toRejectedPayment(offer, errors, now);
    try {
      const view = await this.submitAuthorization.submit(session.sessionId, payment);
      return toAcceptedPayment(session, required, payment.authorization, view);
    } catch (error) {
      if (!isPaymentRefusal(error)) throw error;
      return toRejectedPayment(offer, error.errors, now);
    }
  }
}

function toAcceptedPayment(
  session: CheckoutView,
  { accepts: [accepted] }: X402Terms,
  { from, value }: X402Payment['authorization'],
  { status, transactionHash }: AuthorizationView,
): X402PaymentAcceptedResult {
  const receipt = {
    success: true,
    transaction: transactionHash ?? '',
    network: accepted!.network,
    payer: toDisplayAddress(from),
    amount: String(value),
  } as const;
  return { session, receipt, isSeen: status === 'seen' };
}

function isPaymentRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && REFUSAL_ERROR_CODES.includes(error.code);
}

function toRejectedPayment(
  { session, required }: X402Offer,
  errors: readonly FieldError[],
  now: Date,
): X402PaymentRequiredResult {
  requirePayable(session, now);
  const error = errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
  return { required: { ...required, error }, errors };
}
