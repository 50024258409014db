import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError, type FieldError } from '#shared/kernel/domain-error.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { Authorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import { NotSponsored } from '../../domain/authorizations/sponsoring-rule.js';
import {
  differencesFrom,
  tooLittle,
  type X402Payment,
  type X402PaymentRequired,
  type X402Receipt,
  type X402Terms,
} from '../../domain/authorizations/x402-payment.js';
import { type CheckoutView, requirePayable } from '../requests/payment-request-view.js';
import { OfferByX402, type X402Choice, type X402Offer } from './offer-by-x402.js';
import { answerOf, SubmitAuthorization, type AuthorizationView } from './submit-authorization.js';

/** Response that requests a payment. `errors` describe why the payment that the client sent was rejected. */
export interface X402Asked {
  readonly required: X402PaymentRequired;
  readonly errors: readonly FieldError[];
}

export interface X402Sent {
  readonly session: CheckoutView;
  /** Receipt for the client. Valid only if `isSeen` is true. */
  readonly receipt: X402Receipt;
  /** True if the watcher has stored the transfer. */
  readonly isSeen: boolean;
}

const REFUSALS = ['validation_failed', 'authorization_refused'];

/** Requests the missing amount from an x402 version 2 client, or accepts the payment that the client signed. */
@Injectable()
export class PayByX402 {
  constructor(
    private readonly offerByX402: OfferByX402,
    private readonly submitAuthorization: SubmitAuthorization,
    private readonly authorizations: Authorizations,
    private readonly clock: Clock,
  ) {}

  /**
   * Idempotent and safe for concurrent calls: the same payment is sent once, and a repeated call returns its
   * current state.
   * @throws not_found; state_conflict if nothing is left to pay; not_sponsored; unavailable; the errors of
   * `SelectAsset`
   */
  async pay(choice: X402Choice, payment: X402Payment | undefined): Promise<X402Asked | X402Sent> {
    const now = await this.clock.now();
    if (payment === undefined) return this.ask(choice, now);
    const session = await this.offerByX402.session(choice.sessionId);
    return (await this.takenBefore(choice, session, payment, now)) ?? this.take(choice, payment, now);
  }

  private async ask(choice: X402Choice, now: Date): Promise<X402Asked> {
    const offer = await this.offerByX402.offer(choice, now);
    requirePayable(offer.session, now);
    if (!this.offerByX402.isSponsored(offer.asset)) throw new NotSponsored('network');
    return { required: offer.required, errors: [] };
  }

  /**
   * Returns the state of a payment that was accepted earlier. Compares it with its original terms, even if another
   * asset is selected now. Calls no node.
   * @returns null if no earlier payment matches
   */
  private async takenBefore(
    choice: X402Choice,
    session: CheckoutView,
    payment: X402Payment,
    now: Date,
  ): Promise<X402Asked | X402Sent | null> {
    const { authorization } = payment;
    const known = await this.authorizations.find({ authorization }, session.id);
    const terms = known && this.offerByX402.askedBefore(session, known);
    if (known === null || terms == null || differencesFrom(terms, payment).length > 0) return null;
    try {
      return sent(session, terms, known.authorization, answerOf(known, session, authorization));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      requirePayable(session, now);
      return refused(await this.offerByX402.offer(choice, now), error.errors, now);
    }
  }

  private async take(choice: X402Choice, payment: X402Payment, now: Date): Promise<X402Asked | X402Sent> {
    const offer = await this.offerByX402.offer(choice, now);
    const { session, required } = offer;
    const errors = [...differencesFrom(required, payment), ...tooLittle(required, payment)];
    if (errors.length > 0) return refused(offer, errors, now);
    try {
      const view = await this.submitAuthorization.submit(session.sessionId, payment);
      return sent(session, required, payment.authorization, view);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refused(offer, error.errors, now);
    }
  }
}

function sent(
  session: CheckoutView,
  { accepts: [accepted] }: X402Terms,
  { from, value }: X402Payment['authorization'],
  { status, transactionHash }: AuthorizationView,
): X402Sent {
  const receipt = {
    success: true,
    transaction: transactionHash ?? '',
    network: accepted!.network,
    payer: addressForPeople(from),
    amount: String(value),
  } as const;
  return { session, receipt, isSeen: status === 'seen' };
}

function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && REFUSALS.includes(error.code);
}

/** @throws state_conflict if the checkout no longer accepts a payment */
function refused({ session, required }: X402Offer, errors: readonly FieldError[], now: Date): X402Asked {
  requirePayable(session, now);
  const error = errors.map(({ field, message }) => `${field}: ${message}`).join(' ');
  return { required: { ...required, error }, errors };
}
